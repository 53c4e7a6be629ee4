import { type Change, defined, type JsonObject } from '@proffer/core/json';
import type { UnknownCause } from '@proffer/core/operations';
import { describeCause, PLAIN } from '@proffer/core/words';
import {
  OperationFailedError,
  OutcomeUnknownError,
  ProposalExpiredError,
  ProposalRejectedError,
  type ProposalRejection,
  ProposalWithdrawnError,
  RefusedError,
} from '../errors.js';
import type { CallAnswer } from './caller.js';
import { reasonNotRun } from './not-run.js';

/** The outcome of a call whose proposal failed. Anything but a decision means that nobody could be asked. */
export function outcomeOfFailure(error: unknown): OwnCallOutcome {
  if (error instanceof ProposalRejectedError) {
    const { rejections, why } = error;
    return { type: 'rejected', rejections, ...defined({ why }) };
  }
  if (error instanceof ProposalExpiredError) return { type: 'expired' };
  if (error instanceof ProposalWithdrawnError) {
    return { type: 'withdrawn', ...defined({ reason: error.reason }) };
  }
  if (error instanceof OutcomeUnknownError) {
    const { why, executor } = error;
    return { type: 'unknown', why: describeCause({ cause: why as UnknownCause, by: executor }, PLAIN) };
  }
  if (error instanceof OperationFailedError) {
    const data = defined({ data: error.data });
    return { type: 'failed', error: { code: error.code, message: error.message, ...data } };
  }
  if (error instanceof RefusedError && error.code === 'invalid_arguments')
    return { type: 'invalid', why: error.message };
  return { type: 'unavailable', why: error instanceof Error ? error.message : String(error), cause: error };
}

/** The outcome of a call that was answered. */
export function outcomeOfAnswer(answer: CallAnswer, edited: Edited): OwnCallOutcome {
  return 'error' in answer
    ? { type: 'failed', error: answer.error, ...edited }
    : { type: 'ran', result: answer.result, ...edited };
}

/** The outcome of an approved call whose run failed: it certainly did not start, or nobody can know (O-23). */
export function outcomeOfLostRun(error: unknown, edited: Edited): OwnCallOutcome {
  const reason = reasonNotRun(error);
  if (reason !== undefined) return { type: 'unavailable', why: reason, isApproved: true };
  return { type: 'unknown', why: error instanceof Error ? error.message : String(error), ...edited };
}

/** What the reviewer changed in the arguments before approving; empty if nothing. */
export interface Edited {
  readonly by: string;
  readonly edit: readonly Change[];
}

/** The outcome of an own call. */
export type OwnCallOutcome =
  /** The call ran, with this result. */
  | ({ readonly type: 'ran'; readonly result: JsonObject } & Edited)
  /** The call ran, but its result, of this many characters, was too large to be kept for callers that come back. */
  | ({ readonly type: 'lost'; readonly characters: number; readonly isError: boolean } & Edited)
  /** The call was answered with a JSON-RPC error. */
  | ({ readonly type: 'failed'; readonly error: JsonObject } & Partial<Edited>)
  /** `why`, as a sentence: what ended it, if that was not simply a rejection (O-45). */
  | { readonly type: 'rejected'; readonly rejections: readonly ProposalRejection[]; readonly why?: string }
  | { readonly type: 'expired' }
  | { readonly type: 'withdrawn'; readonly reason?: string }
  /** The rules do not allow the changed arguments. */
  | { readonly type: 'denied'; readonly reason: string }
  /** The call was started, and its outcome is unknown (O-23). */
  | ({ readonly type: 'unknown'; readonly why: string } & Partial<Edited>)
  /** The tool does not accept these arguments (O-39). */
  | { readonly type: 'invalid'; readonly why: string }
  /** The call could not be proposed, so nobody was asked; or it was approved, and certainly did not start. */
  | {
      readonly type: 'unavailable';
      readonly why: string;
      /** The error with which proposing it failed. */
      readonly cause?: unknown;
      readonly isApproved?: true;
    };
