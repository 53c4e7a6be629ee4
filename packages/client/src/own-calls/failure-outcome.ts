import { defined } from '@proffer/core/json';
import type { UnknownCause } from '@proffer/core/operations';
import { describeCause, PLAIN } from '@proffer/core/words';
import {
  OperationFailedError,
  OutcomeUnknownError,
  ProposalExpiredError,
  ProposalRejectedError,
  ProposalWithdrawnError,
  RefusedError,
} from '../errors.js';
import type { CallAnswer } from './caller.js';
import { reasonNotRun } from './not-run.js';
import type { Edited, OwnCallOutcome } from './outcome.js';

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
