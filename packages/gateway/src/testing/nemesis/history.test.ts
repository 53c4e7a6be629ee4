import { describe, expect, it } from 'vitest';
import { checkDecisions } from '../kill/check-decisions.js';
import type { ClientHistory, OperationFact } from '../kill/check-operations.js';
import type { SessionFact, SessionHistory } from '../kill/check-sessions.js';
import { checkHistory, type NemesisHistory } from './history.js';

const PROPOSED: OperationFact = { seq: 1, id: 'p', principal: 'alice', type: 'proposed', proposal: 'p' };
const FULFILLED: OperationFact = { seq: 2, id: 'f', principal: 'first', type: 'fulfilled', proposal: 'p' };
const ANSWERED: OperationFact = { seq: 5, id: 'a', principal: 'tools', type: 'answered', proposal: 'p' };
const RECORDS: readonly OperationFact[] = [PROPOSED, FULFILLED, ANSWERED];

/** What a gateway finds out on its own, after the others. */
const noticed = (type: string, more: Partial<OperationFact> = {}): OperationFact => ({
  seq: 6,
  id: type,
  principal: 'system:gateway',
  type,
  proposal: 'p',
  ...more,
});

const NOT_PENDING = { id: 'g', code: 'proposal_not_pending', proposal: 'p' } as const;

const KINDS: Readonly<Record<string, string>> = {
  p: 'mcp.proposal.x',
  f: 'mcp.request.x',
  a: 'mcp.response.x',
};

const SEEN = RECORDS.map(({ seq, id }) => ({ seq, id, kind: KINDS[id] ?? '' }));

const client = (name: string, change: Partial<ClientHistory> = {}): ClientHistory => ({
  name,
  seen: SEEN,
  acknowledged: RECORDS.filter(({ principal }) => principal === name).map(({ id, seq }) => ({
    id,
    seq,
    sentAt: seq * 10,
    heardAt: seq * 10 + 5,
  })),
  refused: [],
  told: [],
  broken: [],
  ...change,
});

const FACTS: readonly SessionFact[] = [
  { session: 's', version: 1, messageId: 'start', isEnd: false },
  { session: 's', version: 2, messageId: 'commit', isEnd: true },
];

const session = (change: Partial<SessionHistory> = {}): SessionHistory => ({
  mode: 'macp.mode.proposal.v1',
  id: 's',
  acknowledged: [['commit', 2]],
  refused: ['late'],
  seen: [
    [
      [1, 'start'],
      [2, 'commit'],
    ],
  ],
  ...change,
});

interface Change {
  readonly alice?: Partial<ClientHistory>;
  readonly tools?: Partial<ClientHistory>;
  readonly records?: readonly OperationFact[];
  readonly proposals?: readonly string[];
  readonly session?: Partial<SessionHistory>;
  readonly facts?: readonly SessionFact[];
  readonly damage?: readonly unknown[];
  readonly crashes?: readonly string[];
}

function historyWith(change: Change = {}): NemesisHistory {
  return {
    faults: [],
    operations: {
      clients: [client('alice', change.alice), client('first'), client('tools', change.tools)],
      executor: 'tools',
      proposals: change.proposals ?? ['p'],
      records: change.records ?? RECORDS,
    },
    sessions: { sessions: [session(change.session)], records: change.facts ?? FACTS },
    streams: { streams: [], listeners: [] },
    damage: change.damage ?? [],
    crashes: change.crashes ?? [],
  };
}

const ack = (id: string, seq: number, [sentAt, heardAt]: readonly [number, number]) => ({
  id,
  seq,
  sentAt,
  heardAt,
});

describe('checks of the nemesis', () => {
  it('report nothing if everyone was told the truth', () => {
    expect(checkHistory(historyWith())).toEqual([]);
    const told = [{ ...NOT_PENDING, state: 'settled', by: 'first' }];
    expect(checkHistory(historyWith({ alice: { told } }))).toEqual([]);
  });

  it.each<readonly [string, readonly OperationFact[]]>([
    ['O-19: one that expired', [PROPOSED, noticed('expired')]],
    ['O-15: one that was rejected and withdrawn', [PROPOSED, noticed('rejected'), noticed('withdrawn')]],
    [
      'O-20: one that was opened and taken',
      [{ ...PROPOSED, reservedFor: ['second'] }, noticed('opened'), FULFILLED],
    ],
    [
      'O-20: one that its addressee took',
      [{ ...PROPOSED, reservedFor: ['first'] }, noticed('declined', { isFinal: false }), FULFILLED],
    ],
    [
      'O-29: one that two approved',
      [{ ...PROPOSED, needed: 2 }, { ...noticed('approved'), principal: 'second' }, FULFILLED],
    ],
  ])('report nothing about %s', (_, records) => {
    const proposals = ['p'];
    const executor = client('tools', {
      seen: [{ seq: 2, id: 'f', kind: 'mcp.request.x' }].filter(() => records.includes(FULFILLED)),
    });
    expect(checkDecisions({ clients: [executor], executor: 'tools', proposals, records })).toEqual([]);
  });

  it.each<readonly [string, Change, string]>([
    ['I-1: what was acknowledged is gone', { alice: { acknowledged: [ack('x', 3, [0, 1])] } }, 'x is at 3'],
    ['I-1: what was refused is there', { alice: { refused: ['f'] } }, 'f is refused'],
    [
      'I-2: somebody missed a message',
      { alice: { seen: SEEN.filter(({ seq }) => seq !== 2) } },
      'alice saw a at 5',
    ],
    ['I-2: somebody missed the last one', { alice: { seen: SEEN.slice(0, 2) } }, 'alice saw nothing'],
    [
      'I-2: somebody saw what is not there',
      { alice: { seen: [...SEEN, { seq: 6, id: 'x', kind: '' }] } },
      'saw x',
    ],
    ['I-2: a message came again', { alice: { broken: ['p came again'] } }, 'p came again'],
    ['I-6: an id is there twice', { records: [...RECORDS, { ...PROPOSED, seq: 6 }] }, 'p more than once'],
    [
      'O-12: two fulfilments',
      { records: [...RECORDS, { ...FULFILLED, seq: 6, id: 'g' }] },
      'decided more than once',
    ],
    [
      'O-19: it expired after it was fulfilled',
      { records: [...RECORDS, noticed('expired')] },
      'more than once',
    ],
    [
      'O-19: it was fulfilled after it expired',
      { records: [PROPOSED, noticed('expired', { seq: 2 }), { ...FULFILLED, seq: 3 }] },
      'p was decided more than once',
    ],
    [
      'O-20: somebody took what is reserved for somebody else',
      { records: [{ ...PROPOSED, reservedFor: ['second'] }, FULFILLED, ANSWERED] },
      'p was fulfilled by first while it was reserved for second',
    ],
    [
      'O-20: it was opened after it was fulfilled',
      { records: [...RECORDS, noticed('opened')] },
      'p was fulfilled at 2, and opened at 6',
    ],
    [
      'O-20: it was opened twice',
      {
        records: [
          PROPOSED,
          noticed('opened', { seq: 2 }),
          noticed('opened', { seq: 3, id: 'again' }),
          { ...FULFILLED, seq: 4 },
        ],
      },
      'p was opened more than once',
    ],
    [
      'O-29: it ran with too few approvals',
      { records: [{ ...PROPOSED, needed: 2 }, FULFILLED, ANSWERED] },
      'p was fulfilled with 1 of 2 approvals',
    ],
    [
      'O-12: somebody was told that somebody else won',
      { alice: { told: [{ ...NOT_PENDING, state: 'settled', by: 'second' }] } },
      'p is settled by second, and it was fulfilled by first',
    ],
    [
      'O-19: somebody was told that it expired, and it ran',
      { alice: { told: [{ ...NOT_PENDING, state: 'expired' }] } },
      'p is expired by nobody',
    ],
    [
      'O-16: somebody who has seen it was told that there is no such proposal',
      { tools: { told: [{ ...NOT_PENDING, code: 'unknown_proposal' }] } },
      'tools was told about g: unknown_proposal',
    ],
    ['O-12: no decision', { proposals: ['p', 'q'] }, 'q was never decided'],
    ['O-22: not executed', { tools: { seen: [] } }, 'tools did not run f'],
    [
      'I-2: the order is not the one in which things happened',
      { alice: { acknowledged: [ack('p', 1, [30, 31])] } },
      'p is at 1 and was sent after f at 2',
    ],
    [
      'N-6: two outcomes',
      { facts: [...FACTS, { ...FACTS[1]!, version: 3, messageId: 'again' }] },
      'has 2 outcomes',
    ],
    ['N-6: no outcome', { facts: FACTS.slice(0, 1) }, 'has 0 outcomes'],
    ['N-6: what was acknowledged is gone', { session: { acknowledged: [['x', 1]] } }, 'x was acknowledged'],
    ['N-6: what was refused is there', { session: { refused: ['commit'] } }, 'commit was refused'],
    ['N-6: a follower missed something', { session: { seen: [[[2, 'commit']]] } }, 'a follower saw 2 commit'],
    ['I-6: the journal is damaged', { damage: [{ seq: 1 }] }, 'verify: {"seq":1}'],
    ['I-1: a gateway ended by itself', { crashes: ['g1 ended'] }, 'g1 ended'],
  ])('%s', (_, change, expected) => {
    expect(checkHistory(historyWith(change)).join('\n')).toContain(expected);
  });
});
