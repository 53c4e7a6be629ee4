import { authorizeToSome } from '../capability/authorize.js';
import { countAgreements } from './agreements/count-agreements.js';
import type { DecisionContext, ProposalContext } from './context.js';
import { nextByDependencies } from './dependencies/next-by-dependencies.js';
import { evolveProposal } from './proposal/evolve-proposal.js';
import { requestFor } from './proposal/may-fulfil.js';
import { answerDueAt, isFulfilled, type Proposal } from './proposal/proposal.js';
import type { ProposalRecord } from './records.js';
import {
  declined,
  declinedUnanswered,
  escalated,
  expired,
  expiring,
  opened,
  outcomeUnknown,
  unanswered,
} from './routing/notice.js';

/**
 * What follows from the clock and from presence, without a message: expiry (O-19) and the warning
 * before it (O-36), escalation (O-33), rejection by everyone addressed (O-18), the results of
 * dependencies (O-37), the end of a reservation (O-20), an unknown outcome (O-23). Each happens
 * exactly once, since after its record the state no longer calls for it.
 *
 * @param hasRejected - who has rejected it; by default those with a recorded rejection. A participant
 * whose rejection is being decided is added here: folding it first would cost a copy of all the
 * others (I-8)
 */
export function consequencesFor(
  proposal: Proposal,
  context: ProposalContext,
  hasRejected?: HasRejected,
): readonly ProposalRecord[] {
  const next = nextConsequences(proposal, context, hasRejected);
  // The common case.
  if (next.length === 0) return NOTHING;
  const records: ProposalRecord[] = [];
  let current = proposal;
  for (let due = next; due.length > 0; due = nextConsequences(current, context, hasRejected)) {
    records.push(...due);
    current = due.reduce<Proposal>(evolveProposal, current);
  }
  return records;
}

/** The next one; what was accepted in a session counts together (O-53). */
function nextConsequences(
  proposal: Proposal,
  context: ProposalContext,
  hasRejected: HasRejected | undefined,
): readonly ProposalRecord[] {
  const next = nextConsequence(proposal, context, hasRejected);
  if (next !== undefined) return [next];
  const waits = proposal.agreements !== undefined && proposal.phase === 'pending';
  return waits ? countAgreements(proposal, context) : NOTHING;
}

const NOTHING: readonly never[] = [];

type HasRejected = (participant: string) => boolean;

function nextConsequence(
  proposal: Proposal,
  context: ProposalContext,
  hasRejected: HasRejected | undefined,
): ProposalRecord | undefined {
  if (proposal.phase === 'pending')
    return (
      nextWhilePending(proposal, context, hasRejected) ??
      (proposal.dependencies === undefined ? undefined : nextByDependencies(proposal, context))
    );
  if (proposal.phase === 'approved') return nextWhileApproved(proposal, context);
  if (isFulfilled(proposal)) return nextWhileRunning(proposal, context);
  return undefined;
}

function nextWhilePending(
  proposal: Proposal,
  context: DecisionContext,
  rejectedBy: HasRejected | undefined,
): ProposalRecord | undefined {
  const { now } = context;
  const { addressees, expiresAt = Number.POSITIVE_INFINITY, targeting } = proposal;
  const windowEnd = proposal.opened ? undefined : targeting?.until;
  // Whatever was due first comes first, however late this is called.
  const isExpired = now >= expiresAt;
  const [step] = proposal.escalation;
  if (step !== undefined && now >= step.at && step.at < expiresAt)
    return step.to.length === 0 ? declinedUnanswered(proposal, now) : escalated(proposal, now, step.to);
  if (isExpired && (windowEnd === undefined || windowEnd > expiresAt)) return expired(proposal, now);

  if (!isExpired && proposal.warnAt !== undefined && now >= proposal.warnAt) return expiring(proposal, now);
  const due = isExpired ? undefined : answerDueAt(proposal);
  if (due !== undefined && now >= due) return unanswered(proposal, now);
  if (addressees.length === 0 && targeting === undefined) return undefined;
  const hasRejected = rejectedBy ?? ((name: string): boolean => proposal.rejections.has(name));
  // A reservation without fallback ends the proposal; anything else opens it to others.
  const deadEnd = targeting?.exclusive === true && !targeting.fallback;
  // Offline participants have not rejected it: people come back (O-32).
  if (!isExpired && !proposal.declined && addressees.length > 0 && addressees.every(hasRejected)) {
    return declined(proposal, now, { final: deadEnd, hasRejected });
  }
  if (proposal.opened || targeting === undefined) return undefined;
  const timeIsUp = windowEnd !== undefined && now >= windowEnd;
  const isOut = (name: string): boolean => hasRejected(name) || isOutOfReach(proposal, name, context);
  const released = timeIsUp || (targeting.exclusive && targeting.preferred.every(isOut));
  if (!released) return undefined;
  return deadEnd ? declined(proposal, now, { final: true, hasRejected }) : opened(proposal, now);
}

/** The proposal is decided, and waits for those it depends on: its time still runs (O-37). */
function nextWhileApproved(proposal: Proposal, context: ProposalContext): ProposalRecord | undefined {
  const { now } = context;
  const { expiresAt = Number.POSITIVE_INFINITY, warnAt = Number.POSITIVE_INFINITY } = proposal;
  if (now >= expiresAt) return expired(proposal, now);
  return now >= warnAt ? expiring(proposal, now) : nextByDependencies(proposal, context);
}

/**
 * Whether one of the preferred need not be waited for: it cannot fulfil the proposal anyway, or it is offline and the
 * proposer does not want to wait for its return (O-20, O-32).
 */
function isOutOfReach(proposal: Proposal, name: string, { isPresent, rightsOf }: DecisionContext): boolean {
  if (proposal.targeting?.quickReject === true && !isPresent(name)) return true;
  const rights = rightsOf?.(name);
  return (
    rights !== undefined && authorizeToSome(rights.capabilities, requestFor(proposal, name)) !== undefined
  );
}

function nextWhileRunning(
  proposal: Proposal,
  { now, isPresent }: DecisionContext,
): ProposalRecord | undefined {
  const { fulfilment } = proposal;
  if (fulfilment?.answerBy === undefined) return undefined;
  // The proposing agent may report even if the connection that asked for it is gone (O-46).
  if (proposal.phase === 'allowed')
    return now >= fulfilment.answerBy ? outcomeUnknown(proposal, now, 'not_reported') : undefined;
  if (now >= fulfilment.answerBy) return outcomeUnknown(proposal, now, 'no_answer');
  const gone = fulfilment.executor !== undefined && !isPresent(fulfilment.executor);
  return gone ? outcomeUnknown(proposal, now, 'executor_left') : undefined;
}
