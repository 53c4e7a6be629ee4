import { describe, expect, it } from 'vitest';
import { parseConfig } from './parse-config.js';
import { configured } from './testing/configured.js';

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
    ['a key that there is not', ['- call: mcp.request.*', '  veot: true'], 6, 'veot'],
  ])('O-28: %s is an error with its line, never no policy', (_, lines, line, path) => {
    const { config, problems = [] } = parseConfig(withReview(...lines), { file: 'proffer.yaml' });
    expect(config).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ path: expect.stringContaining(path) })]);
    expect(JSON.stringify(problems[0])).toContain(`"line":${line}`);
  });

  it('O-28, O-30: participants have roles, and a person behind them', () => {
    const { participants } = configured(
      'dev: true\nparticipants: { ann: { roles: [finance], subject: ann@x } }',
    );
    expect(participants.get('ann')).toMatchObject({ roles: ['finance'], subject: 'ann@x' });
  });
});
