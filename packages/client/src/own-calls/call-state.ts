import type { Change, JsonObject } from '@proffer/core/json';
import type { OwnCallOutcome } from './outcome.js';

/** The facts of a call that its proposer runs. Times in milliseconds since 1970. */
export interface OwnCallFacts {
  /** The id of its proposal. */
  readonly id: string;
  readonly arguments: JsonObject;
  readonly createdAt: number;
  readonly expiresAt?: number;
}

/** Whose call it is: a connection, or the name of a client that has one for each request. */
export type Owner = object | string | undefined;

/** A counter-offer by a reviewer (O-40). */
export interface ReviewerOffer {
  /** The id to accept it by. */
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  /** What it changes in the arguments. */
  readonly edit: readonly Change[];
}

/** An approval. */
export interface CallApproval {
  /** The approver. */
  readonly by: string;
  readonly arguments: JsonObject;
  /** Their changes to the arguments. */
  readonly edit: readonly Change[];
}

/** An approval waiting for an answer: how the call ended, or that it was not run. */
export interface NumberedApproval extends Omit<CallApproval, 'edit'> {
  readonly number: number;
}

/** A caller for which a call would run. */
export interface CallerState {
  readonly number: number;
  /** Whether to send it the outcome; otherwise it was already answered and will come back for the outcome. */
  readonly isTold: boolean;
  /** Present if it already has an answer: who it is, and whether that answer was a task. */
  readonly comesBack?: { readonly owner: Owner; readonly isTask: boolean };
}

/**
 * The states of an own call.
 *
 * | state | meaning | next |
 * |---|---|---|
 * | `asked` | proposed, and the gateway has not stored it yet | the space decides, or it is stored |
 * | `waiting` | stored and undecided; a caller is there | an approval runs it at once |
 * | `parked` | stored and undecided; no caller is there | a caller comes back, or the window ends |
 * | `approved` | approved while no caller was there | it runs for the first caller that comes, or the window ends |
 * | `running` | its executor has it | its answer ends it; nothing else does |
 * | `answered` | over; callers hear how it ended | nothing |
 * | `unknown` | over; nobody can say whether it ran (O-23) | nothing |
 * | `withdrawing` | nobody wants it; the space has not confirmed that yet | the space's answer |
 */
type Phase =
  | { readonly type: 'asked' | 'waiting' | 'parked' }
  | { readonly type: 'approved' | 'running'; readonly approval: NumberedApproval }
  | { readonly type: 'answered' | 'unknown'; readonly outcome: OwnCallOutcome }
  | { readonly type: 'withdrawing'; readonly reason: string };

export type PhaseName = Phase['type'];

/** Allowed transitions. The model check sees every one of these, and no other. */
export const NEXT_PHASES: Readonly<Record<PhaseName, readonly PhaseName[]>> = {
  asked: ['waiting', 'parked', 'approved', 'running', 'answered', 'unknown', 'withdrawing'],
  waiting: ['parked', 'running', 'answered', 'unknown', 'withdrawing'],
  parked: ['waiting', 'approved', 'answered', 'unknown', 'withdrawing'],
  approved: ['running', 'answered', 'unknown'],
  running: ['answered', 'unknown'],
  answered: [],
  unknown: [],
  withdrawing: ['answered', 'unknown'],
};

/** A call and its callers. Times in milliseconds since 1970. */
export interface CallState<Facts extends OwnCallFacts = OwnCallFacts> {
  readonly facts: Facts;
  readonly phase: Phase;
  /** The present callers, in order of arrival. */
  readonly callers: readonly CallerState[];
  /** How many are being sent the outcome, and may or may not have received it. */
  readonly telling: number;
  /** Since when no caller is present; the window for coming back starts here. */
  readonly aloneSince?: number;
  /** Whether a caller has it as a task, and may come back for it much later. */
  readonly isTask: boolean;
  /** Whether a caller was promised that it waits until it expires, even while no caller is present. */
  readonly isPromised: boolean;
  /** Whether someone received the outcome. */
  readonly isHeard: boolean;
  /** Whether the window ended after the outcome without anyone coming back for it. */
  readonly isClosed: boolean;
  /** Whether a caller that repeats the call may not know that it has finished. */
  readonly isEarlier: boolean;
  readonly changedAt: number;
  /** The last status that someone reported. */
  readonly said?: string;
  /** The latest counter-offer (O-40). */
  readonly offer?: ReviewerOffer;
}

/**
 * A call that was just proposed. No caller is present yet, so the window starts.
 *
 * @param isPromised - whether an earlier run promised that it waits until it expires
 */
export function askedCall<Facts extends OwnCallFacts>(
  facts: Facts,
  now: number,
  isPromised = false,
): CallState<Facts> {
  return { ...begunAs({ type: 'asked' }, facts, now), isPromised };
}

/** A later round of an approved call: it runs for the first caller that comes. */
export function approvedRound<Facts extends OwnCallFacts>(
  facts: Facts,
  approval: NumberedApproval,
  now: number,
): CallState<Facts> {
  return begunAs({ type: 'approved', approval }, facts, now);
}

/** A finished call of an earlier run. */
export function endedCall<Facts extends OwnCallFacts>(
  facts: Facts,
  outcome: OwnCallOutcome,
  now: number,
): CallState<Facts> {
  return { ...begunAs(phaseOf(outcome), facts, now), changedAt: now, isEarlier: true };
}

function begunAs<Facts extends OwnCallFacts>(phase: Phase, facts: Facts, now: number): CallState<Facts> {
  const nobody = { callers: [], telling: 0, aloneSince: now };
  const flags = { isTask: false, isPromised: false, isHeard: false, isClosed: false, isEarlier: false };
  return { facts, phase, ...nobody, ...flags, changedAt: facts.createdAt };
}

/** The state of a call that ended in this way. */
export function phaseOf(outcome: OwnCallOutcome): Phase {
  return { type: outcome.type === 'unknown' ? 'unknown' : 'answered', outcome };
}

/** How a call ended; `undefined` while it has not. */
export function outcomeOf({ phase }: CallState): OwnCallOutcome | undefined {
  return 'outcome' in phase ? phase.outcome : undefined;
}

/** Whether the same call made again joins this one: it has not been given up. */
export function isOpen({ phase, isClosed }: CallState): boolean {
  return phase.type !== 'withdrawing' && !isClosed;
}

/** Whether it is only waiting for a caller to start. */
export function isUnattended({ phase, callers }: CallState): boolean {
  return callers.length === 0 && (isUndecided(phase) || phase.type === 'approved');
}

/** Whether it is undecided. */
export function isUndecided({ type }: Phase): boolean {
  return type === 'asked' || type === 'waiting' || type === 'parked';
}

/** Whether it has neither started nor ended. */
export function isBefore({ type }: Phase): boolean {
  return type !== 'running' && type !== 'answered' && type !== 'unknown';
}

/** Since when the window for coming back runs; `undefined` while it does not, or its end would change nothing. */
export function windowSince(state: CallState): number | undefined {
  const { phase, aloneSince, isHeard, isClosed, isPromised } = state;
  // What has started is not cancelled. An unknown outcome is kept until someone was told (O-23).
  const isHeldOpen = phase.type === 'running' || phase.type === 'unknown' || phase.type === 'withdrawing';
  const isKept = isPromised && isBefore(phase);
  return isHeldOpen || isKept || isHeard || isClosed ? undefined : aloneSince;
}
