import type { Decision } from '../../decision.js';
import { correlationIds, type Envelope } from '../../envelope/envelope.js';
import { quote } from '../../json/describe.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ParticipantRights, ProposalContext } from '../context.js';
import { checkProposer } from '../proposal/decide-remark.js';
import { derivedRequest } from '../proposal/derived-request.js';
import { refuseNotPending } from '../proposal/may-fulfil.js';
import type { Proposal } from '../proposal/proposal.js';
import type { ProposalRecord } from '../records.js';
import { countApproval } from '../review/count-approval.js';
import { checkCapability } from '../review/decide-approve.js';
import type { Counter } from './counter.js';

/**
 * The proposer accepts a reviewer's counter-offer (O-40). It counts as that reviewer's approval of
 * exactly those params, so the reviewer must still be able to approve them; it runs in the reviewer's
 * name, once (O-12).
 */
export function decideAccept(
  proposal: Proposal | undefined,
  envelope: Envelope,
  context: ProposalContext,
): Decision<ProposalRecord> {
  const [id = ''] = correlationIds(envelope);
  const counter = proposal?.counters.find((each) => each.id === id);
  if (proposal === undefined || counter === undefined) return { refused: refuseUnknownCounter(id) };
  const refused =
    checkProposer(proposal, envelope) ??
    (proposal.phase === 'pending' ? undefined : refuseNotPending(proposal)) ??
    checkStands(proposal, counter) ??
    checkDigest(counter, envelope);
  if (refused !== undefined) return { refused };
  const author = context.rightsOf?.(counter.by);
  if (author === undefined) return { refused: refuseAbsentAuthor(counter) };
  const unable = checkStillAllowed(proposal, counter, author, context);
  if (unable !== undefined) return { refused: unable };
  const { by: from, params, executor } = counter;
  const to = executor === undefined ? [] : [executor];
  const request = derivedRequest(proposal, params, { ...envelope, from, to });
  // The acceptance is based on the author's own right, whatever lets the proposer accept it.
  const authority = { ...context, sender: author, grant: undefined };
  const decision = countApproval(proposal, { envelope, request }, authority);
  if (decision.records === undefined) return decision;
  return { records: decision.records.map((record) => asAccepted(record, counter)) };
}

/** The facts of an approval, recorded as an acceptance. */
function asAccepted(record: ProposalRecord, { id: counter, by: author }: Counter): ProposalRecord {
  if (record.type === 'approved') {
    const { rested } = record.facts;
    const held = rested === undefined ? {} : { rested: { ...rested, counter } };
    const facts = { ...record.facts, ...held, audience: [author], counter, author };
    return { ...record, type: 'counter_accepted', facts };
  }
  return record.type === 'fulfilled' ? { ...record, facts: { ...record.facts, counter } } : record;
}

/** The refusal for an unknown counter-offer. */
function refuseUnknownCounter(id: string): Refusal {
  return refuse('unknown_counter', `Counter-offer ${quote(id)} not found in this space.`, { counter: id });
}

function checkStands({ proposer, counters }: Proposal, counter: Counter): Refusal | undefined {
  const { id, by, state } = counter;
  if (by === proposer) {
    const sentence = `${quote(id)} is your own counter-offer: others must approve it, by its digest.`;
    return refuse('self_fulfilment', sentence, { counter: id, digest: counter.digest });
  }
  if (state !== 'withdrawn') return undefined;
  const newer = counters.findLast((each) => each.by === by && each.state !== 'withdrawn')?.id;
  const how = newer === undefined ? 'took it back' : `replaced it with ${quote(newer)}`;
  return refuse('counter_cancelled', `${quote(id)} is no longer open: ${quote(by)} ${how}.`, {
    counter: id,
    by,
    newer,
  });
}

/** The acceptance may say which params were seen. */
function checkDigest({ id, digest: expected }: Counter, { payload }: Envelope): Refusal | undefined {
  const { digest: found } = payload;
  if (found === undefined || found === expected) return undefined;
  const sentence = `The digest does not match the counter-offer ${quote(id)}.`;
  return refuse('digest_mismatch', sentence, { counter: id, found, expected });
}

function checkStillAllowed(
  proposal: Proposal,
  { id, by, params, executor }: Counter,
  author: ParticipantRights,
  context: ProposalContext,
): Refusal | undefined {
  const chosen = { from: by, executor };
  if (checkCapability(proposal, params, chosen, { ...context, sender: author }) === undefined)
    return undefined;
  const sentence = `${quote(by)}, who made the counter-offer ${quote(id)}, may no longer run it.`;
  return refuse('not_approver', sentence, { proposal: proposal.id, counter: id, by });
}

function refuseAbsentAuthor({ id, by }: Counter): Refusal {
  const sentence = `It is not known whether ${quote(by)}, who made the counter-offer ${quote(id)}, may still approve it.`;
  return refuse('author_absent', sentence, { counter: id, by });
}
