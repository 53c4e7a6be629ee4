import { describe, expect, it } from 'vitest';
import { parseConfig } from '../parse-config.js';
import { configured, problemOf } from '../testing/configured.js';

const withReview = (...lines: readonly string[]) =>
  ['dev: true', 'spaces:', '  main:', '    review:', ...lines.map((line) => `      ${line}`)].join('\n');

describe('review policy', () => {
  it('O-49: a space that demands signatures has no entry for sessions, which have none', () => {
    const entry = [
      '- { call: mcp.request.*, from: [ann] }',
      '- { call: mcp.request.*, from: [ann], by: {} }',
    ];
    expect(problemOf(`${withReview(...entry)}\n    signed: true`)).toMatchObject({
      line: 6,
      path: 'spaces.main.review[1].by',
    });
    expect(configured(withReview(...entry)).spaces.get('main')?.review).toHaveLength(2);
  });

  it('O-28: is read in order, with defaults filled in', () => {
    const { spaces } = configured(
      withReview(
        '- { name: payments, call: mcp.request.tools/call:pay_*, approvals: 2, from: [role:finance, boss], veto: true }',
        '- call: { kind: mcp.request.tools/call, payload: { params: { arguments: { path: /etc/** } } } }',
        '  escalate: [{ after: 10m, to: [boss] }, { after: 1h, decline: true }]',
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

  it('O-53: says in which sessions it is decided; by default in all modes with offers, under any policy', () => {
    const { spaces } = configured(
      withReview(
        '- { call: "mcp.request.*", from: [ann], by: { modes: [macp.mode.quorum.v1], policies: [p] } }',
        '- { call: "*", from: [ann], by: {} }',
      ),
    );
    const modes = ['macp.mode.proposal.v1', 'macp.mode.decision.v1', 'macp.mode.quorum.v1'];
    expect(spaces.get('main')?.review?.map(({ by }) => by)).toEqual([
      { modes: [modes[2]], policies: ['p'] },
      { modes, policies: [] },
    ]);
  });

  it.each([
    ['an entry without a call', ['- { approvals: 2 }'], 5, 'spaces.main.review[0].call'],
    ['a pattern that matches nothing', ['- call: a**b'], 5, 'spaces.main.review[0].call'],
    ['an invalid number', ['- call: mcp.request.*', '  approvals: many'], 6, 'approvals'],
    ['an empty role', ['- call: mcp.request.*', '  from: ["role:"]'], 6, 'from[0]'],
    [
      'a step after one that declines',
      ['- call: mcp.request.*', '  escalate: [{ after: 1m, decline: true }, { after: 1h, to: [ann] }]'],
      5,
      'escalate',
    ],
    [
      'a step that asks and declines',
      ['- call: mcp.request.*', '  escalate: [{ after: 1m, to: [ann], decline: true }]'],
      6,
      'escalate[0].decline',
    ],
    ['by without names', ['- call: mcp.request.*', '  by: {}'], 5, 'from'],
    [
      'by with agents',
      ['- call: mcp.request.*', '  from: [ann]', '  by: {}', '  agents: { from: [s], per_hour: 1 }'],
      5,
      'agents',
    ],
    ['by with signed', ['- call: mcp.request.*', '  from: [ann]', '  by: {}', '  signed: true'], 5, 'signed'],
    [
      'an unknown mode',
      ['- call: mcp.request.*', '  from: [ann]', '  by: { modes: [macp.mode.task.v1] }'],
      7,
      'by.modes[0]',
    ],
    [
      'steps out of order',
      ['- call: mcp.request.*', '  escalate: [{ after: 1h, to: [ann] }, { after: 1m, to: [bob] }]'],
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
    [
      'agents without a limit',
      ['- call: mcp.request.*', '  agents: { from: [steward] }'],
      6,
      'agents.per_hour',
    ],
    ['unknown agents', ['- call: mcp.request.*', '  agents: { from: [], per_hour: 5 }'], 6, 'agents.from'],
    [
      'a range without bounds',
      ['- call: mcp.request.*', '  agents: { from: [bot], per_hour: 5, within: { amount: {} } }'],
      6,
      'agents.within.amount',
    ],
    [
      'an empty range',
      [
        '- call: mcp.request.*',
        '  agents: { from: [bot], per_hour: 5, within: { amount: { gte: 9, lte: 1 } } }',
      ],
      6,
      'agents.within.amount',
    ],
    [
      'one bound in two words',
      [
        '- call: mcp.request.*',
        '  agents: { from: [bot], per_hour: 5, within: { amount: { max: 9, lte: 1 } } }',
      ],
      6,
      'agents.within.amount.max',
    ],
    ['an unknown key', ['- call: mcp.request.*', '  veot: true'], 6, 'veot'],
  ])('O-28: %s is an error with its line, never no policy', (_, lines, line, path) => {
    const { config, problems = [] } = parseConfig(withReview(...lines), { file: 'proffer.yaml' });
    expect(config).toBeUndefined();
    expect(problems).toEqual([expect.objectContaining({ path: expect.stringContaining(path) })]);
    expect(JSON.stringify(problems[0])).toContain(`"line":${line}`);
  });

  it.each([
    ['{ amount: { gt: 1000 } }', 'amount', 'fields: { gt: … }'],
    ['{ amount: { greaterish: 1000 } }', 'amount', 'fields: { greaterish: … }'],
    ['{ amount: {} }', 'amount', 'fields: { NAME: … }'],
    ['{ amount: { fields: { a: { over: 1 } } } }', 'amount.fields.a', 'fields: { over: … }'],
    ['{ amount: { fields: { a: 1 }, b: 2 } }', 'amount', 'fields: { fields: … }'],
    ['{ to: [{ host: a }] }', 'to[0]', 'fields: { host: … }'],
    ['{ amount: ">1000" }', 'amount', undefined],
    ['{ amount: "1..10" }', 'amount', undefined],
  ])('O-28: %s is an error: taken literally, it would never apply', (written, path, suggestion) => {
    const call = `{ kind: mcp.request.tools/call, payload: { params: { arguments: ${written} } } }`;
    const { problems = [] } = parseConfig(withReview(`- call: ${call}`), { file: 'proffer.yaml' });
    expect(problems).toEqual([expect.objectContaining({ line: 5 })]);
    expect(problems[0]?.path).toBe(`spaces.main.review[0].call.payload.params.arguments.${path}`);
    expect(problems[0]?.suggestion).toBe(suggestion);
  });

  it.each([
    ['{ param: { name: x } }', 'params'],
    ['{ params: { argument: { a: 1 } } }', 'arguments'],
    ['{ arguments: { a: 1 } }', 'params: { arguments: … }'],
    ['{ params: { name: { anyOf: [a] } } }', 'fields: { anyOf: … }'],
  ])('O-8: the payload %s has an object where no message has one', (payload, suggestion) => {
    const text = `dev: true\ncapabilities: { a: [{ kind: mcp.request.*, payload: ${payload} }] }`;
    expect(problemOf(text).suggestion).toBe(suggestion);
  });

  it('O-8, O-28: the fields of an argument are written under fields', () => {
    const call =
      '{ kind: mcp.request.*, payload: { params: { arguments: { order: { fields: { to: [{ fields: { gt: 1 } }] } } } } } }';
    expect(configured(withReview(`- call: ${call}`)).spaces.get('main')?.review?.[0]?.call).toEqual({
      kind: 'mcp.request.*',
      payload: { params: { arguments: { order: { to: [{ gt: 1 }] } } } },
    });
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

  it.each([
    '{ amount: { gte: 1, lte: 99.5 }, order.currency: { any_of: [EUR, 7, true, "7"] } }',
    // The words of older files.
    '{ amount: { min: 1, max: 99.5 }, order.currency: { one_of: [EUR, 7, true, "7"] } }',
  ])(
    'O-28, O-30: limits agents to %s, and an entry may exclude the person the proposer works for',
    (within) => {
      const { spaces } = configured(
        withReview(
          '- call: mcp.request.tools/call:pay',
          '  not_requester: true',
          `  agents: { from: [steward, role:bots], per_hour: 5, within: ${within} }`,
        ),
      );
      expect(spaces.get('main')?.review?.[0]).toMatchObject({
        notRequester: true,
        agents: {
          from: ['steward', 'role:bots'],
          perHour: 5,
          within: { amount: { min: 1, max: 99.5 }, 'order.currency': { oneOf: ['EUR', 7, true, '7'] } },
        },
      });
    },
  );

  it('O-28: suggests a fix for a typo in the name of a limit', () => {
    const lines = ['- call: mcp.request.*', '  agents: { from: [bot], perhour: 5 }'];
    const { problems = [] } = parseConfig(withReview(...lines), { file: 'proffer.yaml' });
    expect(problems).toContainEqual(expect.objectContaining({ suggestion: 'per_hour' }));
  });

  it('O-28, O-30: gives participants roles, a person behind them, and one they work for', () => {
    const { participants } = configured(
      'dev: true\nparticipants: { ann: { roles: [finance], subject: ann@x }, bot: { works_for: ann@x } }',
    );
    expect(participants.get('ann')).toMatchObject({ roles: ['finance'], subject: 'ann@x' });
    expect(participants.get('bot')).toMatchObject({ worksFor: 'ann@x' });
  });

  it.each([
    ['a person who is not a participant', '{ call: mcp.request.*, from: [ann, bbo] }', 'from[1]', 'bob'],
    ['a role that nobody has', '{ call: mcp.request.*, from: [role:finanze] }', 'from[0]', 'role:finance'],
    [
      'a step that asks nobody',
      '{ call: mcp.request.*, from: [ann], escalate: [{ after: 1h, to: [carol] }] }',
      'escalate[0].to[0]',
      'carol',
    ],
    ['proposers who are nobody', '{ call: mcp.request.*, proposers: [bto] }', 'proposers[0]', 'bot'],
    [
      'a person who is elsewhere',
      '{ call: mcp.request.*, from: [zoe] }',
      'from[0]',
      'may not enter the space "main"',
    ],
    [
      'a role whose people are elsewhere',
      '{ call: mcp.request.*, from: [role:ops] }',
      'from[0]',
      'role "ops"',
    ],
    [
      'more approvals than people in a role',
      '{ call: mcp.request.*, approvals: 2, from: [role:finance, ann] }',
      'approvals',
      'only ann may approve',
    ],
  ])('O-28: refuses %s', (_, entry, at, text) => {
    const written = [
      'participants:',
      '  ann: { tokens: [], spaces: { main: ["*"] }, roles: [finance] }',
      '  bob: { tokens: [], spaces: { main: ["*"] } }',
      '  bot: { tokens: [], spaces: { main: ["mcp.proposal.*"] } }',
      '  zoe: { tokens: [], spaces: { lab: ["*"] }, roles: [ops] }',
      'spaces:',
      '  lab: {}',
      '  main:',
      `    review: [${entry}]`,
    ].join('\n');
    const problem = problemOf(written);
    expect(`${problem.path} ${problem.message} ${problem.suggestion}`).toContain(
      `spaces.main.review[0].${at}`,
    );
    expect(`${problem.message} ${problem.suggestion}`).toContain(text);
  });
});
