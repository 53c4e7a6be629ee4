import { describe, expect, it } from 'vitest';
import type { Envelope } from '../envelope/envelope.js';
import { canonicalJson } from '../json/canonical.js';
import type { ProposalContext } from './context.js';
import { evolveProposal } from './proposal/evolve-proposal.js';
import type { Proposal } from './proposal/proposal.js';
import { viewProposal } from './proposal/proposal-view.js';
import type { ProposalRecord } from './records.js';
import { spaceSettings } from './settings.js';
import { emptySpace } from './space/space.js';
import { explore, fold, type Message, type Model } from './testing/interleavings.js';
import { answer, fulfil, propose, reject, withdraw } from './testing/world.js';

const TTL = 1_000;
const SETTINGS = spaceSettings({ name: 'main' });
const SPACE = emptySpace(SETTINGS);

const say = (
  name: string,
  gateway: 0 | 1,
  type: 'propose' | 'fulfil' | 'answer' | 'withdraw' | 'reject',
  envelope: Envelope,
): Message => ({
  name,
  gateway,
  command: { type, envelope },
});

const MESSAGES: readonly Message[] = [
  say('propose', 0, 'propose', propose('p', { ttl: TTL })),
  say('fulfil 1', 0, 'fulfil', fulfil('f1', 'p', { from: 'reviewer' })),
  say('fulfil 2', 1, 'fulfil', fulfil('f2', 'p', { from: 'second' })),
  say('withdraw', 1, 'withdraw', withdraw('w', 'p')),
  say('reject 1', 0, 'reject', reject('r1', 'p', 'reviewer')),
  say('reject 2', 1, 'reject', reject('r2', 'p', 'second')),
  { name: 'expire 0', gateway: 0, command: { type: 'review' } },
  { name: 'expire 1', gateway: 1, command: { type: 'review' } },
  say('respond', 1, 'answer', answer('a1', 'f1')),
];

function contextAt(timeIsUp: boolean): ProposalContext {
  const now = timeIsUp ? TTL : 0;
  return {
    now,
    isPresent: () => true,
    isConnected: () => true,
    space: SPACE,
    settings: SETTINGS,
  };
}

const FINAL = new Set(['withdrawn', 'expired', 'declined', 'fulfilled', 'settled']);

/** What is wrong with a stream, if anything: I-2, one-way states, nothing after the end but the answer. */
function faultIn(journal: readonly ProposalRecord[]): string | undefined {
  const count = (type: string): number => journal.filter((record) => record.type === type).length;
  for (const type of ['proposed', 'fulfilled', 'withdrawn', 'expired', 'answered']) {
    if (count(type) > 1) return `${type} ${count(type)} times`;
  }
  for (let length = 1; length < journal.length; length++) {
    const before = fold(journal.slice(0, length));
    const record = journal[length];
    if (before === undefined || record === undefined) return 'a stream that does not begin with a proposal';
    if (FINAL.has(before.phase) && record.type !== 'answered') return `${record.type} after ${before.phase}`;
  }
  return undefined;
}

const MODEL: Model = {
  messages: MESSAGES,
  contextFor: (_, timeIsUp) => contextAt(timeIsUp),
  answered: 'f1',
  faultIn,
};

describe('I-2, I-3: every interleaving of one proposal on two gateways', () => {
  const explored = explore(MODEL, true);

  it('I-2, O-12: at most one fulfilment, one end, one answer, in all of them', () => {
    expect(explored.faults).toEqual([]);
    // A sanity check: both fulfilments, and both ends without one, were reached.
    const ends = new Set(explored.streams.map((stream) => fold(stream)?.phase));
    expect(ends).toEqual(new Set([undefined, 'pending', 'fulfilled', 'settled', 'withdrawn', 'expired']));
    expect(explored.situations).toBeGreaterThan(10_000);
  });

  it('I-3: a gateway that folds incrementally and one that replays from the start agree on all of them', () => {
    for (const stream of explored.streams) {
      let live: Proposal | undefined;
      for (const [index, record] of stream.entries()) {
        const next = evolveProposal(live, record);
        live = next;
        const replayed = fold(stream.slice(0, index + 1)) as Proposal;
        expect(canonicalJson(viewProposal(next))).toBe(canonicalJson(viewProposal(replayed)));
      }
    }
  });

  it('I-2: the check is effective: without expected versions something happens twice', () => {
    expect(explore(MODEL, false).faults).not.toEqual([]);
  });
});
