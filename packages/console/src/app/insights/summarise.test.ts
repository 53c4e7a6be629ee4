import type { Proposal } from '@proffer/core/operations';
import { expect, it } from 'vitest';
import type { PlacedRecord } from '../history/read-records.js';
import { type DecidedCall, decidedCalls } from './decided-calls.js';
import { countDeciders, csvOf, daysOf, percentile, sharesBy, timesOf } from './summarise.js';

const DAY = 86_400_000;
const NOON = new Date(2026, 10, 18, 12).getTime();

const call = (more: Partial<DecidedCall> = {}): DecidedCall => ({
  agent: 'builder',
  tool: 'write_file',
  outcome: 'approved',
  decider: 'person',
  by: 'ada',
  at: NOON,
  took: 1_000,
  ...more,
});

it('takes percentiles from the values themselves', () => {
  expect(percentile([], 0.5)).toBeUndefined();
  expect(percentile([5], 0.9)).toBe(5);
  expect(percentile([4, 1, 3, 2], 0.5)).toBe(2);
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
});

it('counts how long people took, not rules and grants', () => {
  const calls = [
    call({ took: 60_000 }),
    call({ decider: 'rule', took: 0 }),
    call({ decider: 'grant', took: 0 }),
  ];
  expect(timesOf(calls)).toEqual({ p50: 60_000, p90: 60_000 });
  expect(countDeciders(calls)).toEqual({ person: 1, rule: 1, grant: 1, nobody: 0 });
});

it('has every day until now, with what ended on it and what waited when it ended', () => {
  const proposals = [
    { id: 'p1', proposedAt: NOON - 2 * DAY },
    { id: 'p2', proposedAt: NOON },
  ];
  const calls = [call({ proposal: 'p1', at: NOON - DAY, took: DAY }), call({ outcome: 'rejected' })];
  const days = daysOf(calls, proposals, { from: NOON - 2 * DAY, now: NOON + 1 });
  expect(days.map(({ waiting }) => waiting)).toEqual([1, 0, 1]);
  expect(days.map(({ outcomes }) => [outcomes.approved, outcomes.rejected])).toEqual([
    [0, 0],
    [1, 0],
    [0, 1],
  ]);
  expect(days.map(({ p50 }) => p50)).toEqual([undefined, DAY, 1_000]);
});

it('shares decisions among those who asked or decided, the most frequent first', () => {
  const calls = [
    call(),
    call({ agent: 'triage', by: 'grace' }),
    call({ outcome: 'rejected' }),
    call({ decider: 'nobody', by: undefined }),
  ];
  expect(
    sharesBy(calls, ({ agent }) => agent).map(({ name, calls: size, approved }) => [name, size, approved]),
  ).toEqual([
    ['builder', 3, 2],
    ['triage', 1, 1],
  ]);
  expect(sharesBy(calls, ({ by }) => by).map(({ name }) => name)).toEqual(['ada', 'grace']);
});

it('exports a table in which no text is a formula or breaks out of its cell', () => {
  const [head, row] = csvOf([call({ proposal: 'p1', agent: '=1+1', tool: 'a,"b"' })]).split('\r\n');
  expect(head).toBe('decided_at,proposal,agent,tool,outcome,decided_by,decider,seconds');
  expect(row).toBe(`${new Date(NOON).toISOString()},p1,'=1+1,"a,""b""",approved,ada,person,1`);
});

it('reads decisions from proposals, and from what the rules of a guard decided', () => {
  const proposal = (more: object): Proposal =>
    ({
      id: 'p',
      proposer: 'builder',
      method: 'tools/call',
      proposedAt: 0,
      changedAt: 9,
      rejections: new Map(),
      statuses: new Map(),
      ...more,
    }) as unknown as Proposal;
  const ran = { by: 'ada', at: 5, amendment: [] };
  const found = decidedCalls(
    [
      proposal({ phase: 'pending' }),
      proposal({ phase: 'settled', fulfilment: ran, outcome: { result: 'error' } }),
      proposal({ phase: 'settled', fulfilment: { ...ran, grant: 'g1' }, outcome: { result: 'ok' } }),
      proposal({ phase: 'withdrawn', ending: { why: 'rejected', by: 'ada' } }),
      proposal({ phase: 'withdrawn', ending: { why: 'withdrawn', by: 'builder' } }),
      proposal({ phase: 'expired' }),
    ],
    [
      {
        principal: 'guard',
        time: 7,
        envelope: {
          kind: 'chat.message',
          payload: {
            decisions: [
              { action: 'allow', tool: 'read', calls: [{}, { at: '1970-01-01T00:00:00.003Z' }] },
              { action: 'deny', tool: 'rm' },
              { action: 'nonsense' },
              7,
            ],
          },
        },
      } as unknown as PlacedRecord,
    ],
  );
  expect(found.map(({ outcome, decider, took }) => [outcome, decider, took])).toEqual([
    ['failed', 'person', 5],
    ['approved', 'grant', 5],
    ['rejected', 'person', 9],
    ['withdrawn', 'nobody', 9],
    ['expired', 'nobody', 9],
    ['approved', 'rule', 0],
    ['approved', 'rule', 0],
    ['rejected', 'rule', 0],
  ]);
  expect(found.slice(5).map(({ at }) => at)).toEqual([7, 3, 7]);
});
