import { describe, expect, it } from 'vitest';
import type { Envelope } from '../envelope/envelope.js';
import { canonicalJson } from '../json/canonical.js';
import type { ProposalContext } from './context.js';
import { proposalDecider } from './decider.js';
import type { ProposalCommand } from './proposal/decide-proposal.js';
import { evolveProposal } from './proposal/evolve-proposal.js';
import type { Proposal } from './proposal/proposal.js';
import { viewProposal } from './proposal/proposal-view.js';
import type { ProposalRecord } from './records.js';
import { spaceSettings } from './settings.js';
import { answer, fulfil, propose, reject, withdraw } from './testing/world.js';

/**
 * Two gateways serve one proposal. Each message is decided on what its gateway has seen so far, which
 * may be any prefix of the stream that is not older than what it saw before, and is then appended with
 * the version that the decision was made on. Every interleaving is tried: any message next, any lag,
 * any other append between a decision and its own append, the end of the time to live at any moment.
 */
const TTL = 1_000;
const SETTINGS = spaceSettings({ name: 'main' });

interface Message {
  readonly name: string;
  readonly gateway: 0 | 1;
  readonly command: ProposalCommand;
}

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

/** What a gateway decided and has not yet appended. */
interface Intention {
  readonly expectedVersion: number;
  readonly records: readonly ProposalRecord[];
}

interface Situation {
  readonly journal: readonly ProposalRecord[];
  /** Per gateway: how much of the stream it has seen. */
  readonly seen: readonly [number, number];
  /** Per message: not sent, decided, or done. */
  readonly messages: readonly ('waiting' | Intention | 'done')[];
  readonly timeIsUp: boolean;
}

const START: Situation = {
  journal: [],
  seen: [0, 0],
  messages: MESSAGES.map(() => 'waiting'),
  timeIsUp: false,
};

const fold = (records: readonly ProposalRecord[]): Proposal | undefined =>
  records.reduce<Proposal | undefined>(proposalDecider.evolve, undefined);

function contextAt(timeIsUp: boolean): ProposalContext {
  const now = timeIsUp ? TTL : 0;
  return {
    now,
    isPresent: () => true,
    isConnected: () => true,
    servedBy: () => [],
    listedBy: () => [],
    hasAnnounced: () => false,
    definitionOf: () => undefined,
    pendingOf: () => 0,
    settings: SETTINGS,
  };
}

/** All situations that can come next. */
function* successors(situation: Situation, checksVersions: boolean): Generator<Situation> {
  if (!situation.timeIsUp) yield { ...situation, timeIsUp: true };
  for (const [index, message] of MESSAGES.entries()) {
    const step = situation.messages[index];
    if (step === 'waiting') yield* decideOn(situation, index, message);
    else if (step !== 'done' && step !== undefined) yield appendTo(situation, index, step, checksVersions);
  }
}

function* decideOn(situation: Situation, index: number, message: Message): Generator<Situation> {
  const { journal, seen } = situation;
  // Whoever speaks about a proposal has seen it, and a gateway that has not looks it up in the journal.
  const needed = message.command.type === 'answer' ? journal.findIndex(isFulfilment) + 1 : 1;
  if (message.command.type !== 'propose' && (needed === 0 || journal.length === 0)) return;
  for (
    let view = Math.max(seen[message.gateway], Math.min(needed, journal.length));
    view <= journal.length;
    view++
  ) {
    const decision = proposalDecider.decide(
      fold(journal.slice(0, view)),
      message.command,
      contextAt(situation.timeIsUp),
    );
    const records = decision.records ?? [];
    const next = records.length === 0 ? 'done' : { expectedVersion: view, records };
    yield withMessage({ ...situation, seen: withSeen(seen, message.gateway, view) }, index, next);
  }
}

const isFulfilment = (record: ProposalRecord) => record.type === 'fulfilled' && record.envelope.id === 'f1';

function appendTo(
  situation: Situation,
  index: number,
  intention: Intention,
  checksVersions: boolean,
): Situation {
  const { journal, seen } = situation;
  const gateway = MESSAGES[index]?.gateway ?? 0;
  if (checksVersions && journal.length !== intention.expectedVersion) {
    // Another writer was first: see what it wrote, and decide again.
    return withMessage({ ...situation, seen: withSeen(seen, gateway, journal.length) }, index, 'waiting');
  }
  const longer = [...journal, ...intention.records];
  return withMessage(
    { ...situation, journal: longer, seen: withSeen(seen, gateway, longer.length) },
    index,
    'done',
  );
}

function withMessage(situation: Situation, index: number, step: 'waiting' | Intention | 'done'): Situation {
  return { ...situation, messages: situation.messages.with(index, step) };
}

function withSeen([zero, one]: Situation['seen'], gateway: 0 | 1, view: number): Situation['seen'] {
  return gateway === 0 ? [view, one] : [zero, view];
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

function keyOf({ journal, seen, messages, timeIsUp }: Situation): string {
  const steps = messages.map((step) => (typeof step === 'string' ? step[0] : step.expectedVersion));
  const records = journal.map(({ type, principal }) => `${type} ${principal}`);
  return `${records.join()}|${seen.join()}|${steps.join()}|${timeIsUp}`;
}

/** Tries everything; without the check of versions, only until something goes wrong. */
function explore(checksVersions: boolean) {
  const known = new Set<string>();
  const streams = new Map<string, readonly ProposalRecord[]>();
  const faults = new Set<string>();
  const open: Situation[] = [START];
  for (let situation = open.pop(); situation !== undefined; situation = open.pop()) {
    if (!checksVersions && faults.size > 0) break;
    for (const next of successors(situation, checksVersions)) {
      const key = keyOf(next);
      if (known.has(key)) continue;
      known.add(key);
      const stream = next.journal.map(({ type, principal }) => `${type} ${principal}`).join();
      if (!streams.has(stream)) {
        streams.set(stream, next.journal);
        const fault = faultIn(next.journal);
        if (fault !== undefined) faults.add(fault);
      }
      open.push(next);
    }
  }
  return { situations: known.size, streams: [...streams.values()], faults: [...faults] };
}

describe('I-2, I-3: every interleaving of one proposal on two gateways', () => {
  const explored = explore(true);

  it('I-2, O-12: at most one fulfilment, one end, one answer, in all of them', () => {
    expect(explored.faults).toEqual([]);
    // Enough to have tried something: both fulfilments, and both ends without one, were reached.
    const ends = new Set(explored.streams.map((stream) => fold(stream)?.phase));
    expect(ends).toEqual(new Set([undefined, 'pending', 'fulfilled', 'settled', 'withdrawn', 'expired']));
    expect(explored.situations).toBeGreaterThan(10_000);
  });

  it('I-3: a gateway that folds as it goes and one that replays from the start agree on all of them', () => {
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

  it('I-2: the check would notice: without expected versions something happens twice', () => {
    expect(explore(false).faults).not.toEqual([]);
  });
});
