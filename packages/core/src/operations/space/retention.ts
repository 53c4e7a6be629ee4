import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import type { SealedRecord } from '../../record/record.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import { type ProposalRecord, type Proposed, proposalStream } from '../records.js';
import { releaseGenerations } from './generations.js';
import type { SpaceState } from './space.js';

/**
 * Whether retention may remove a proposal, given its last record: only one that can no longer change.
 * Pending, running and unknown ones stay (O-23), except those that were never reported (O-46), and so do participants' streams, since their next
 * messages continue them.
 *
 * @param last - the last record of any stream; false if it is not a proposal's
 */
export function mayRemoveProposal(last: SealedRecord): boolean {
  if (last.stream.split('/', 2)[1] !== 'proposal') return false;
  return isEnd(last as SealedRecord<ProposalRecord>);
}

function isEnd(last: ProposalRecord): boolean {
  switch (last.type) {
    case 'answered':
    case 'withdrawn':
    case 'expired':
      return true;
    case 'declined':
      return last.facts.final;
    case 'fulfilled':
      return last.facts.answerBy === undefined;
    case 'outcome_unknown':
      return last.facts.cause === 'not_reported';
    default:
      return false;
  }
}

/**
 * The streams of the proposals that a new one waits for (O-37). They stay until it has ended, too:
 * their results decide about it, and it may not have been checked since. Empty for any other record.
 */
export function streamsAwaitedBy(record: SealedRecord): readonly string[] {
  if (record.type !== 'proposed') return [];
  const { facts, stream } = record as SealedRecord<Proposed>;
  const [space = ''] = stream.split('/', 1);
  return facts.dependencies?.waitsFor.map((id) => proposalStream(space, id)) ?? [];
}

/**
 * The refusal of a request that refers to a proposal which retention has removed. Its content is no
 * longer known, so the request may be its second fulfilment, and none may run (O-12).
 */
export function refuseAboutRemoved(
  envelope: Envelope,
  isRemoved: (proposal: string) => boolean,
): Refusal | undefined {
  if (!envelope.kind.startsWith('mcp.request.')) return undefined;
  const removed = correlationIds(envelope).find(isRemoved);
  if (removed === undefined) return undefined;
  const sentence = `${quote(removed)} is no longer pending: it ended long ago and was removed.`;
  return refuse('proposal_not_pending', sentence, { proposal: removed, state: 'removed' });
}

/**
 * Declares that a state, and those between it and a newer one, will not be read again: a host calls
 * it when the newer one is durable. Only affects garbage collection.
 */
export function releaseSpaceUntil(space: SpaceState, newer: SpaceState): void {
  space.proposals.releaseUntil(newer.proposals);
  space.participants.releaseUntil(newer.participants);
  space.fulfilments.releaseUntil(newer.fulfilments);
  space.counters.releaseUntil(newer.counters);
  space.grants.releaseUntil(newer.grants);
  space.servers.releaseUntil(newer.servers);
  space.listers.releaseUntil(newer.listers);
  space.pending.releaseUntil(newer.pending);
  space.dependents.releaseUntil(newer.dependents);
  space.waiting.releaseUntil(newer.waiting);
  space.delegators.releaseUntil(newer.delegators);
  releaseGenerations(space.pastFulfilments, newer.pastFulfilments);
  releaseGenerations(space.recent, newer.recent);
}
