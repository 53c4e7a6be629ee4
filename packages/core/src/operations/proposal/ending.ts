import { textOf, textsIn } from '../../json/fields.js';
import type { JsonObject } from '../../json/json.js';
import type { FailedOutcome } from '../dependencies/dependency.js';
import type { Declined, Withdrawn } from '../records.js';
import type { Proposal } from './proposal.js';
import { isDecisiveRejection, rejectsProposal } from './rejection.js';

/** What some had decided when the proposal ended without a decision. */
type SoFar = { readonly approvedBy: readonly string[]; readonly rejectedBy: readonly string[] };

/** A rejection that ended it. */
type ByRejection = { readonly by: string; readonly reason: string; readonly message?: string };

/** Why a proposal ended without running, and by whom (O-45). */
export type ProposalEnding =
  /** The proposer withdrew the proposal, for a reason of its own. */
  | { readonly why: 'withdrawn'; readonly by: string; readonly reason?: string }
  /** The proposer withdrew the proposal because this person rejected it (O-31). */
  | ({ readonly why: 'rejected' } & ByRejection)
  /** One rejection was enough under this policy entry, or left too few who could approve (O-31). */
  | (({ readonly why: 'veto' } | { readonly why: 'impossible' }) & { readonly entry: string } & ByRejection)
  /** Not enough people decided before the last escalation step, which declines it (O-33). */
  | ({ readonly why: 'unanswered' } & SoFar)
  /** The proposal was reserved without fallback, and those it was reserved for did not take it (O-20). */
  | {
      readonly why: 'reserved';
      readonly rejectedBy: readonly string[];
      readonly unansweredBy: readonly string[];
    }
  /** A proposal it depends on failed (O-37). */
  | { readonly why: 'dependency'; readonly dependency: string; readonly outcome: FailedOutcome }
  /** The proposal was approved, but was no longer allowed when it was about to run (O-37). */
  | {
      readonly why: 'not_allowed_now';
      readonly approver?: string;
      readonly code: string;
      readonly message: string;
    }
  /** A session ended without enough approvals, or its commitment may not make the call run (O-53). */
  | { readonly why: 'session'; readonly session: string; readonly by: string; readonly reason: string }
  /** The proposal expired before enough people decided (O-19). */
  | ({ readonly why: 'undecided' } & SoFar)
  /** The proposal expired after it was approved: these had not finished, or nothing could run it (O-37). */
  | { readonly why: 'not_started'; readonly approver?: string; readonly waitsFor: readonly string[] };

/** The ending of a proposal that its proposer withdrew. */
export function endingByWithdrawal(proposal: Proposal, { principal, envelope }: Withdrawn): ProposalEnding {
  const { reason } = envelope.payload;
  const rejected = reason === GAVE_UP ? decidingRejection(proposal) : undefined;
  if (rejected !== undefined) return { why: 'rejected', ...rejected };
  return { why: 'withdrawn', by: principal, ...(typeof reason === 'string' ? { reason } : {}) };
}

/** The reason with which a proposer withdraws a rejected proposal. */
export const GAVE_UP = 'declined';

/** The ending of a proposal whose time is up. */
export function endingByTime(proposal: Proposal): ProposalEnding {
  return proposal.phase === 'approved'
    ? { why: 'not_started', ...approverOf(proposal), waitsFor: proposal.dependencies?.waitsFor ?? [] }
    : { why: 'undecided', ...soFar(proposal) };
}

function approverOf({ cleared }: Proposal): { readonly approver?: string } {
  return cleared === undefined ? {} : { approver: cleared.by };
}

/** The ending that the gateway's notice gives, with what the state adds. */
export function endingByNotice(proposal: Proposal, { envelope }: Declined): ProposalEnding {
  const ending = endingInNotice(envelope.payload);
  if (ending === undefined) return { why: 'unanswered', ...soFar(proposal) };
  if (ending.why === 'not_allowed_now') return { ...ending, ...approverOf(proposal) };
  if (ending.why !== 'veto' && ending.why !== 'impossible') return ending;
  const { message } = proposal.rejections.get(ending.by) ?? {};
  return { ...ending, ...(message === undefined ? {} : { message }) };
}

/**
 * The ending in a notice that a proposal was declined, as far as the notice says; `undefined` if nobody decided, since
 * only the state says who had. A notice of a failed reservation names no reason.
 */
export function endingInNotice(
  payload: JsonObject,
): Exclude<ProposalEnding, { why: 'unanswered' }> | undefined {
  const { why, by, reason, entry, dependency, outcome, code, message } = payload;
  switch (why) {
    case 'unanswered':
      return undefined;
    case 'veto':
    case 'impossible':
      return { why, by: textOf(by), reason: textOf(reason), entry: textOf(entry) };
    case 'dependency':
      return { why, dependency: textOf(dependency), outcome: textOf(outcome) as FailedOutcome };
    case 'not_allowed_now':
      return { why, code: textOf(code), message: textOf(message) };
    case 'session':
      return { why, session: textOf(payload['session']), by: textOf(by), reason: textOf(reason) };
    default: {
      const [rejectedBy, unansweredBy] = [textsIn(payload['rejectedBy']), textsIn(payload['unansweredBy'])];
      return { why: 'reserved', rejectedBy, unansweredBy };
    }
  }
}

/** The rejection that a proposer gave up for: the latest of those that count most. */
function decidingRejection({ rejections }: Proposal): ByRejection | undefined {
  const all = [...rejections].sort(
    ([one, left], [other, right]) => left.at - right.at || (one < other ? -1 : 1),
  );
  const [by, rejection] =
    all.findLast(([, each]) => isDecisiveRejection(each)) ??
    all.findLast(([, each]) => rejectsProposal(each)) ??
    [];
  if (by === undefined || rejection === undefined) return undefined;
  const { reason, message } = rejection;
  return { by, reason, ...(message === undefined ? {} : { message }) };
}

function soFar({ approvals, rejections }: Proposal): SoFar {
  const approvedBy = [...new Set(approvals.map(({ by }) => by))];
  const rejectedBy = [...rejections].filter(([, each]) => rejectsProposal(each)).map(([name]) => name);
  return { approvedBy, rejectedBy: rejectedBy.sort() };
}
