import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../json/canonical.js';
import type { ProposalContext } from '../context.js';
import type { ProposalCommand } from '../proposal/decide-proposal.js';
import { evolveProposal } from '../proposal/evolve-proposal.js';
import type { Proposal } from '../proposal/proposal.js';
import { viewProposal } from '../proposal/proposal-view.js';
import type { ProposalRecord } from '../records.js';
import { spaceSettings } from '../settings.js';
import { emptySpace } from '../space/space.js';
import { rightsOf } from '../testing/fuzz/cast.js';
import { explore, fold, type Message, type Model } from '../testing/interleavings.js';
import { entry } from '../testing/reviewed.js';
import { answer, approve, fulfil, propose, reject, withdraw } from '../testing/world.js';

/** Two must approve: ann by an approval, bob by the request itself, each through another gateway. */
const TTL = 1_000;
const SETTINGS = spaceSettings({ name: 'main', review: [entry({ from: ['ann', 'bob'] })] });
const SPACE = emptySpace(SETTINGS);

const MESSAGES: readonly Message[] = [
  { name: 'propose', gateway: 0, command: { type: 'propose', envelope: propose('p', { ttl: TTL }) } },
  {
    name: 'ann',
    gateway: 0,
    command: { type: 'approve', envelope: approve('a1', 'p', { from: 'ann', executor: 'tools' }) },
  },
  { name: 'bob', gateway: 1, command: { type: 'fulfil', envelope: fulfil('f1', 'p', { from: 'bob' }) } },
  {
    name: 'bob changes his mind',
    gateway: 0,
    command: { type: 'reject', envelope: reject('r1', 'p', 'bob', 'busy') },
  },
  { name: 'withdraw', gateway: 1, command: { type: 'withdraw', envelope: withdraw('w', 'p') } },
  { name: 'expire 0', gateway: 0, command: { type: 'review' } },
  { name: 'expire 1', gateway: 1, command: { type: 'review' } },
  { name: 'respond', gateway: 1, command: { type: 'answer', envelope: answer('x1', 'f1') } },
];

function contextFor(command: ProposalCommand, timeIsUp: boolean): ProposalContext {
  return {
    now: timeIsUp ? TTL : 0,
    isPresent: () => true,
    isConnected: () => true,
    space: SPACE,
    rightsOf: (name) => rightsOf('open', name),
    sender: command.type === 'review' ? undefined : rightsOf('open', command.envelope.from),
    settings: SETTINGS,
  };
}

/**
 * What is wrong with a stream: it runs twice, without both, or after it ended. Counted from the
 * records alone.
 */
function faultIn(journal: readonly ProposalRecord[]): string | undefined {
  const approved = new Set<string>();
  let ended: string | undefined;
  for (const { type, principal } of journal) {
    if (ended !== undefined && type !== 'answered') return `${type} after ${ended}`;
    if (type === 'approved') approved.add(principal);
    if (type === 'rejected') approved.delete(principal);
    if (type === 'fulfilled' && !(new Set([...approved, principal]).size === 2)) return 'it ran without both';
    if (['fulfilled', 'withdrawn', 'expired', 'declined'].includes(type)) ended = type;
  }
  return journal.filter(({ type }) => type === 'answered').length > 1 ? 'answered twice' : undefined;
}

const MODEL: Model = { messages: MESSAGES, contextFor, answered: 'f1', faultIn };

describe('O-28, I-2: every interleaving of two approvers, a proposer, an executor and expiry on two gateways', () => {
  const explored = explore(MODEL, true);

  it('O-28, O-29, O-12: it runs once, with both approvals in force, or not at all', () => {
    expect(explored.faults).toEqual([]);
    const ends = new Set(explored.streams.map((stream) => fold(stream)?.phase));
    expect(ends).toEqual(new Set([undefined, 'pending', 'fulfilled', 'settled', 'withdrawn', 'expired']));
    const ways = explored.streams.map((stream) => stream.find(({ type }) => type === 'fulfilled')?.principal);
    expect(new Set(ways)).toEqual(new Set([undefined, 'ann', 'bob']));
    expect(explored.situations).toBeGreaterThan(3_000);
  });

  it('O-28, I-3: incremental folding and replay from the start agree on all of them', () => {
    for (const stream of explored.streams) {
      const live = stream.reduce<Proposal | undefined>(evolveProposal, undefined);
      const replayed = fold(stream);
      if (live === undefined || replayed === undefined) continue;
      expect(canonicalJson(viewProposal(live))).toBe(canonicalJson(viewProposal(replayed)));
    }
  });

  it('O-28, I-2: the check is effective: without expected versions something goes wrong', () => {
    expect(explore(MODEL, false).faults).not.toEqual([]);
  });
});
