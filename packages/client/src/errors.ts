import type { RefusalCode } from '@proffer/core';
import { defined, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { FailedOutcome, UnknownCause } from '@proffer/core/operations';
import { describeCause, describeEnding, PLAIN } from '@proffer/core/words';

/** The gateway refused a message; nothing changed (I-5). Decide by `code`; `details` has the facts. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** One of core's codes, or one of a newer gateway. */
  readonly code: RefusalCode | (string & {});
  readonly details: JsonObject;

  constructor(code: string, message: string, details: JsonObject = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** A fulfilment came too late: someone else was first, or the proposal ended otherwise (O-12). */
export class ProposalNotPendingError extends Error {
  override readonly name = 'ProposalNotPendingError';
  readonly code = 'proposal_not_pending';
  readonly proposal: string;
  /** The state of the proposal, for example `fulfilled`. */
  readonly state: string;
  /** Who decided it; absent if time or silence did. */
  readonly by?: string;
  readonly details: JsonObject;

  constructor(proposal: string, message: string, details: JsonObject) {
    super(message);
    this.proposal = proposal;
    this.details = details;
    this.state = typeof details['state'] === 'string' ? details['state'] : 'unknown';
    if (typeof details['by'] === 'string') this.by = details['by'];
  }
}

/** A fulfilment was counted as an approval; others must approve it, too, before it runs (O-29). */
export class ApprovalsMissingError extends Error {
  override readonly name = 'ApprovalsMissingError';
  readonly proposal: string;
  readonly given: number;
  readonly needed: number;
  /** Whose approval is still possible: names and `role:…`. */
  readonly missing: readonly string[];

  constructor(
    proposal: string,
    {
      given,
      needed,
      missing,
    }: { readonly given: number; readonly needed: number; readonly missing: readonly string[] },
  ) {
    super(`Your approval of ${proposal} is recorded: ${given} of ${needed}. Missing: ${missing.join(', ')}.`);
    this.proposal = proposal;
    this.given = given;
    this.needed = needed;
    this.missing = missing;
  }
}

/** A fulfilment was counted as an approval; it runs when the proposals it depends on have settled `ok` (O-37). */
export class ProposalWaitsError extends Error {
  override readonly name = 'ProposalWaitsError';
  readonly proposal: string;
  readonly waitsFor: readonly string[];

  constructor(proposal: string, waitsFor: readonly string[]) {
    super(`Your approval of ${proposal} is recorded. It runs when ${waitsFor.join(', ')} has succeeded.`);
    this.proposal = proposal;
    this.waitsFor = waitsFor;
  }
}

/** A rejection of a proposal (O-17). */
export type ProposalRejection = {
  readonly by: string;
  readonly reason: string;
  readonly message?: string;
  /** True if its sender could have approved the proposal instead (O-31). */
  readonly couldApprove?: true;
};

interface RejectedDetails {
  readonly unansweredBy?: readonly string[];
  /** Why the gateway declined it, as a sentence (O-45). */
  readonly why?: string | undefined;
  /** Why it could not be withdrawn; absent if it was, or had ended. */
  readonly stillPending?: unknown;
}

/**
 * Someone who could have approved the proposal, or everyone addressed, rejected it (O-31, O-18). It will not be
 * fulfilled.
 */
export class ProposalRejectedError extends Error {
  override readonly name = 'ProposalRejectedError';
  readonly proposal: string;
  /** In the order they arrived. */
  readonly rejections: readonly ProposalRejection[];
  /** The addressees who did not answer because they were absent. */
  readonly unansweredBy: readonly string[];
  /** Why the gateway declined it, as a sentence (O-45); absent if the proposer gave up. */
  readonly why?: string;

  constructor(
    proposal: string,
    rejections: readonly ProposalRejection[],
    { unansweredBy = [], stillPending, why }: RejectedDetails = {},
  ) {
    const reasons = rejections.map(({ by, reason }) => `${by}: ${reason}`);
    const absent = unansweredBy.map((name) => `${name}: absent`);
    const pending =
      stillPending === undefined ? '' : ' The proposal could not be withdrawn, so it may still run.';
    const said = [...reasons, ...absent].join('; ');
    const what = why === undefined ? `was rejected (${said}).` : `was declined: ${why}`;
    super(`Proposal ${proposal} ${what}${pending}`, defined({ cause: stillPending }));
    if (why !== undefined) this.why = why;
    this.proposal = proposal;
    this.rejections = rejections;
    this.unansweredBy = unansweredBy;
  }
}

/** A proposal that it depends on did not settle `ok`, so this one never runs (O-37). */
export class DependencyFailedError extends Error {
  override readonly name = 'DependencyFailedError';
  readonly proposal: string;
  /** The one that failed. */
  readonly dependency: string;
  /** How that one ended: `error`, `withdrawn`, `expired` or `declined`. */
  readonly outcome: string;

  constructor(
    proposal: string,
    { dependency, outcome }: { readonly dependency: string; readonly outcome: string },
  ) {
    const ending = { why: 'dependency', dependency, outcome: outcome as FailedOutcome } as const;
    super(`Proposal ${proposal} was declined: ${describeEnding(ending, PLAIN)}`);
    this.proposal = proposal;
    this.dependency = dependency;
    this.outcome = outcome;
  }
}

/** The proposal expired before anyone fulfilled it (O-19). */
export class ProposalExpiredError extends Error {
  override readonly name = 'ProposalExpiredError';
  readonly proposal: string;

  constructor(proposal: string) {
    super(`Proposal ${proposal} expired before enough people decided.`);
    this.proposal = proposal;
  }
}

/** The proposal was withdrawn (O-15). `cause` is the reason of the signal, if a signal did it. */
export class ProposalWithdrawnError extends Error {
  override readonly name = 'ProposalWithdrawnError';
  readonly proposal: string;
  readonly reason?: string;

  constructor(proposal: string, reason?: string, cause?: unknown) {
    super(
      `Proposal ${proposal} was withdrawn${reason === undefined ? '' : `: ${reason}`}.`,
      defined({ cause }),
    );
    this.proposal = proposal;
    if (reason !== undefined) this.reason = reason;
  }
}

/** The operation was started and its outcome is unknown (O-23). It may have run: check before you repeat it. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  /** The envelope id of the request. */
  readonly request: string;
  /**
   * `executor_left`: it left without an answer. `executor_lost_it`: it lost track of the call.
   * `no_answer`: it took too long.
   */
  readonly why: string;
  readonly proposal?: string;
  readonly executor?: string;

  constructor(request: string, why: string, about: { proposal?: string; executor?: string } = {}) {
    const reason = describeCause({ cause: why as UnknownCause, by: about.executor }, PLAIN);
    super(`The outcome of request ${request} is unknown. ${reason}`);
    this.request = request;
    this.why = why;
    if (about.proposal !== undefined) this.proposal = about.proposal;
    if (about.executor !== undefined) this.executor = about.executor;
  }
}

/**
 * The operation ran and ended with a JSON-RPC error. A served tool's handler can also throw it to
 * choose the code and data of its error answer.
 */
export class OperationFailedError extends Error {
  override readonly name = 'OperationFailedError';
  /** The JSON-RPC code. */
  readonly code: number;
  readonly data?: JsonValue;

  constructor(code: number, message: string, data?: JsonValue) {
    super(message);
    this.code = code;
    if (data !== undefined) this.data = data;
  }
}

/**
 * Whether an error only reports how an operation ended, for example that someone else was first, and
 * not that something is wrong.
 */
export function isOutcome(error: unknown): boolean {
  return (
    error instanceof ApprovalsMissingError ||
    error instanceof ProposalWaitsError ||
    error instanceof ProposalNotPendingError ||
    error instanceof OperationFailedError ||
    error instanceof OutcomeUnknownError
  );
}
