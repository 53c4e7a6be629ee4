import { VersionedMap } from '../../collections/versioned-map.js';
import type { Subject } from '../../envelope/kind.js';
import type { Change } from '../../json/diff.js';
import type { JsonObject } from '../../json/json.js';
import type { ReceivedAgreement } from '../agreements/agreement.js';
import type { Counter } from '../counter/counter.js';
import type { Delegation, Delegator } from '../delegation/delegation.js';
import type { Cleared, Dependencies } from '../dependencies/dependency.js';
import type { SignatureFacts } from '../keys/check-assertion.js';
import type { ApprovalBasis, AskedReview, DueStep, Requester, Targeting } from '../records.js';
import type { ArgumentFault } from './arguments.js';
import type { ProposalEnding } from './ending.js';

/**
 * Where a proposal is in its life. One-way:
 *
 * ```
 * pending ─▶ fulfilled | allowed ─▶ settled
 *         ─▶ withdrawn | expired | declined
 *         ─▶ approved ─▶ fulfilled | allowed | withdrawn | expired | declined
 * ```
 *
 * `allowed` is the fulfilment of a call that its own agent runs: whether it runs is unknown until the agent reports
 * (O-46).
 *
 * `approved` waits for the proposals it depends on (O-37). Only there is a way back: with `on_failure: keep` it is
 * pending again when one of them fails.
 *
 * `declined` is final only for an exclusive proposal without fallback, which nobody is left to fulfil;
 * any other proposal that everybody addressed has declined stays pending (O-18, O-20).
 */
export type ProposalPhase =
  | 'pending'
  | 'approved'
  | 'fulfilled'
  | 'allowed'
  | 'settled'
  | 'withdrawn'
  | 'expired'
  | 'declined';

export type Rejection = {
  readonly reason: string;
  readonly message?: string;
  readonly at: number;
  /** True if its sender could have approved it instead (O-31). */
  readonly couldApprove?: true;
  /** The person, if the operator says who it is (O-30), and its roles at that time. */
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** Whose part it had (O-34). */
  readonly onBehalfOf?: Delegator;
  /** The session in which it was given (O-53). */
  readonly session?: string;
};
export type Status = {
  readonly status: string;
  readonly message?: string;
  /** The progress and the total, as in MCP (O-42). */
  readonly progress?: number;
  readonly total?: number;
  readonly at: number;
};

/** An approval that counts, or did (O-29). */
export type Approval = Omit<ApprovalBasis, 'entry'> & {
  readonly by: string;
  /** The digest of the approved params; each digest is counted separately. */
  readonly digest: string;
  /** The approved params, if they are not the proposed ones. */
  readonly params?: JsonObject;
  readonly executor?: string | undefined;
  /** The addressees of the request, if there is no single executor. */
  readonly runBy?: readonly string[];
  /** Whose approval is still possible: names and `role:…`. */
  readonly missing?: readonly string[];
  /** Ties together approvals that were given in one action (O-35). */
  readonly batch?: string;
  readonly at: number;
};

/** The person who approved: one person, whatever token they used (O-30). */
export function personOf({ by, subject }: Pick<Approval, 'by' | 'subject'>): string {
  return subject ?? by;
}

/** The person whose part an approval is: the approver's own, or the delegator's (O-34). */
export function partyOf(approval: Pick<Approval, 'by' | 'subject' | 'onBehalfOf'>): string {
  return personOf(approval.onBehalfOf ?? approval);
}

/** Who runs the params with this digest, if an approval of them has fixed it (O-29). */
export function fixedExecutor(
  { approvals }: Pick<Proposal, 'approvals'>,
  digest: string,
): string | undefined {
  return approvals.find((each) => each.digest === digest)?.executor;
}

export type Fulfilment = {
  readonly by: string;
  /** The envelope id of the request that fulfilled it; the answer refers to it. */
  readonly request: string;
  /** The addressees of the request. */
  readonly to: readonly string[];
  readonly executor?: string | undefined;
  readonly at: number;
  readonly answerBy?: number | undefined;
  readonly digest: string;
  readonly amendment: readonly Change[];
  /** The accepted counter-offer, if it ran by one (O-40). */
  readonly counter?: string;
  /** The grant it was based on (O-41). */
  readonly grant?: string;
  /** Whose part the last approval was given for (O-34). */
  readonly onBehalfOf?: Delegator;
  /** The session in which the last approval was given (O-53). */
  readonly session?: string;
};

/** Why nobody knows how an operation ended (O-23). */
export type UnknownCause = 'executor_left' | 'executor_lost_it' | 'no_answer' | 'not_reported';

export type OperationOutcome = {
  /** `unknown`: it may or may not have run (O-23). A late answer still makes it known. */
  readonly result: 'ok' | 'error' | 'unknown';
  readonly at: number;
  /** The executor says that it ran nothing; then the result is `error`. */
  readonly notRun?: true;
  /** Who answered, or should have; absent if nobody in particular runs it. */
  readonly by?: string;
  /** The answer; absent if there was none. */
  readonly response?: string;
  /** Why it is unknown. */
  readonly cause?: UnknownCause;
};

/** On whose behalf a proposer asks, as far as it knows. Unverified claims of clients. */
export type Origin = {
  /** The program, by its own name. */
  readonly client?: string;
  readonly version?: string;
  /** The person, or the name of the token used for the call. */
  readonly user?: string;
  /** The session of that program: the same for all calls of one conversation. */
  readonly session?: string;
  /** The working folder of the agent. */
  readonly folder?: string;
};

/** One proposal and everything that refers to it: the entity that is decided one message at a time. */
export interface Proposal {
  readonly id: string;
  /** Records in its stream so far. */
  readonly version: number;
  readonly proposer: string;
  /** As sent; empty for a proposal to everyone. */
  readonly to: readonly string[];
  /** Who is asked to act; empty for a proposal to everyone. */
  readonly addressees: readonly string[];
  readonly method: string;
  readonly params?: JsonObject | undefined;
  /** The tool, prompt or resource it is about. */
  readonly subject?: Subject | undefined;
  /** The executor, if the proposer names one (O-26). */
  readonly executor?: string | undefined;
  /** What is wrong with its arguments, if the space allows that (O-39). */
  readonly argumentFaults?: readonly ArgumentFault[] | undefined;
  /** On whose behalf the proposer asks, if it says so: a guard has clients. */
  readonly origin?: Origin | undefined;
  /** Over method and params (O-25). */
  readonly digest: string;
  /** Distinguishes a repeated message from another message under the same id (O-3). */
  readonly fingerprint: string;
  /** The person who proposes, and its roles, if the operator says so. */
  readonly requester?: Requester | undefined;
  readonly proposedAt: number;
  readonly expiresAt?: number | undefined;
  /** When to warn that it expires soon; absent once that was sent (O-36). */
  readonly warnAt?: number | undefined;
  /** The remaining escalation steps if no one decides (O-33). */
  readonly escalation: readonly DueStep[];
  readonly targeting?: Targeting | undefined;
  /** When the proposer is told that there was no answer; absent once it was (O-48). */
  readonly answerDueAt?: number | undefined;
  /** The proposals that must settle first (O-37). */
  readonly dependencies?: Dependencies | undefined;
  /** What runs then, once it is approved. */
  readonly cleared?: Cleared | undefined;
  readonly phase: ProposalPhase;
  /** The window of the preferred has ended: anyone may fulfil it. */
  readonly opened: boolean;
  /** Whether it was announced that every addressee has declined. */
  readonly declined: boolean;
  /** When it left `pending`, or the last change after that. */
  readonly changedAt: number;
  readonly rejections: VersionedMap<Rejection>;
  readonly statuses: VersionedMap<Status>;
  /** In arrival order. */
  readonly approvals: readonly Approval[];
  /** Counter-offers, in arrival order (O-40). */
  readonly counters: readonly Counter[];
  /** The sessions that decided about it, in arrival order (O-53). Absent in the views of older gateways. */
  readonly agreements?: readonly ReceivedAgreement[] | undefined;
  /** Who may approve in addition to those whom the policy names, because no one decided in time (O-33). */
  readonly escalatedTo: readonly string[];
  /** Who delegated their part in this proposal to whom (O-34). */
  readonly delegations: readonly Delegation[];
  /** The last signature of each key that was used here (O-49): it counts once. */
  readonly signatures: readonly SignatureFacts[];
  /** The version of the last message that an approver should have seen (O-35); 0: none. */
  readonly newsAt: number;
  /** What the policy required when it was proposed (O-28). */
  readonly review?: AskedReview | undefined;
  /** Why it ended without running, and by whom (O-45). */
  readonly ending?: ProposalEnding | undefined;
  readonly fulfilment?: Fulfilment | undefined;
  readonly outcome?: OperationOutcome | undefined;
}

/** True while nothing runs and nothing has ended it: it can be withdrawn, and its time runs. */
export function isOpen({ phase }: Pick<Proposal, 'phase'>): boolean {
  return phase === 'pending' || phase === 'approved';
}

/** True from the fulfilment until the answer, if there is one: a notification has none. */
export function isFulfilled({ phase }: Pick<Proposal, 'phase'>): boolean {
  return phase === 'fulfilled' || phase === 'allowed';
}

/**
 * True if nothing is expected to happen to it any more. An unknown outcome may still become known (O-23). One that
 * its agent never reported is not waited for, since some agents never report; a late report still counts (O-46).
 */
export function isOver(proposal: Proposal): boolean {
  if (isFulfilled(proposal)) return proposal.fulfilment?.answerBy === undefined;
  const { outcome } = proposal;
  return !isOpen(proposal) && (outcome?.result !== 'unknown' || outcome.cause === 'not_reported');
}

/**
 * When to check it again because of the clock alone: the next moment at which it expires, opens up or
 * its outcome becomes unknown. `undefined` if time will not change it.
 */
export function nextDeadline(proposal: Proposal): number | undefined {
  if (isFulfilled(proposal)) return proposal.fulfilment?.answerBy;
  if (proposal.phase === 'approved') return earliest(proposal.expiresAt, proposal.warnAt);
  if (proposal.phase !== 'pending') return undefined;
  const window = proposal.opened ? undefined : proposal.targeting?.until;
  return earliest(
    earliest(earliest(window, answerDueAt(proposal)), proposal.expiresAt),
    earliest(proposal.warnAt, proposal.escalation[0]?.at),
  );
}

/** When the proposer is told that there was no answer: a rejection, a status, an offer or an approval is one (O-48). */
export function answerDueAt(proposal: Proposal): number | undefined {
  const { answerDueAt: due, proposer, rejections, statuses, approvals, counters } = proposal;
  if (due === undefined || rejections.size > 0 || approvals.length > 0) return undefined;
  const isAnswered =
    counters.some(({ by }) => by !== proposer) || statuses.size > (statuses.has(proposer) ? 1 : 0);
  return isAnswered ? undefined : due;
}

function earliest(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return Math.min(one, other);
}
