import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.js';
import { configured } from '../testing/configured.js';

const withReview = (...lines: readonly string[]) =>
  ['dev: true', 'spaces:', '  main:', '    review:', ...lines.map((line) => `      ${line}`)].join('\n');

describe('a review policy', () => {
  it('O-28: is read in order, with what is not written filled in', () => {
    const { spaces } = configured(
      withReview(
        '- { name: payments, call: mcp.request.tools/call:pay_*, approvals: 2, from: [role:finance, boss], veto: true }',
        '- call: { kind: mcp.request.tools/call, payload: { params: { arguments: { path: /etc/** } } } }',
        '  escalate: [{ after: 10m, to: [boss] }, { after: 1h }]',
      ),
    );
    expect(spaces.get('main')?.review).toEqual([
      {
        name: 'payments',
        call: 'mcp.request.tools/call:pay_*',
        proposers: [],
        approvals: 2,
        from: ['role:finance', 'boss'],
        veto: true,
        escalate: [],
      },
      {
        name: '#2',
        call: { kind: 'mcp.request.tools/call', payload: { params: { arguments: { path: '/etc/**' } } } },
        proposers: [],
        approvals: 1,
        from: [],
        veto: false,
        escalate: [
          { after: 600_000, to: ['boss'] },
          { after: 3_600_000, to: [] },
        ],
      },
    ]);
  });

  it.each([
    ['an entry without a call', ['- { approvals: 2 }'], 5, 'spaces.main.review[0].call'],
    ['a pattern that matches nothing', ['- call: a**b'], 5, 'spaces.main.review[0].call'],
    ['a number that is none', ['- call: mcp.request.*', '  approvals: many'], 6, 'approvals'],
    ['an empty role', ['- call: mcp.request.*', '  from: ["role:"]'], 6, 'from[0]'],
    [
      'steps out of order',
      ['- call: mcp.request.*', '  escalate: [{ after: 1h }, { after: 1m }]'],
      5,
      'escalate',
    ],
    ['a pattern for proposals', ['- call: mcp.proposal.tools/call:write_*'], 5, 'call'],
    ['a pattern for answers', ['- call: mcp.response.*'], 5, 'call'],
    ['a method alone', ['- call: tools/call'], 5, 'call'],
    ['a kind without a method', ['- call: { kind: mcp.request }'], 5, 'call'],
    [
      'more approvals than people',
      ['- { call: mcp.request.*, approvals: 3, from: [ann, bob] }'],
      5,
      'approvals',
    ],
    ['one person twice', ['- { call: mcp.request.*, approvals: 2, from: [ann, ann] }'], 5, 'approvals'],
    ['a key that there is not', ['- call: mcp.request.*', '  veot: true'], 6, 'veot'],
  ])('O-28: %s is an error with its line, never no policy', (_, lines, line, path) => {
    const { config, problems = [] } = parseConfig(withReview(...lines), { file: 'proffer.yaml' });
    expect(config).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ path: expect.stringContaining(path) })]);
    expect(JSON.stringify(problems[0])).toContain(`"line":${line}`);
  });

  it.each([
    ['mcp.proposal.tools/call:write_*', 'mcp.request.tools/call:write_*'],
    ['tools/call', 'mcp.request.tools/call'],
  ])('O-28: %s comes with a suggestion', (call, suggestion) => {
    const { problems = [] } = parseConfig(withReview(`- call: ${call}`), { file: 'proffer.yaml' });
    expect(problems).toEqual([expect.objectContaining({ suggestion })]);
  });

  it.each([
    '{ call: "*" }',
    '{ call: mcp.* }',
    '{ call: mcp.req*, approvals: 2, from: [role:finance] }',
    '{ call: mcp.request.tools/call:x, approvals: 2, from: [ann], escalate: [{ after: 1m, to: [bob] }] }',
  ])('O-28: %s can be met', (entry) => {
    expect(configured(withReview(`- ${entry}`)).spaces.get('main')?.review).toHaveLength(1);
  });

  it('O-28, O-30: participants have roles, and a person behind them', () => {
    const { participants } = configured(
      'dev: true\nparticipants: { ann: { roles: [finance], subject: ann@x } }',
    );
    expect(participants.get('ann')).toMatchObject({ roles: ['finance'], subject: 'ann@x' });
  });
});
