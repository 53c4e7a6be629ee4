import {
  OperationFailedError,
  OutcomeUnknownError,
  ProposalExpiredError,
  ProposalRejectedError,
  ProposalWithdrawnError,
  RefusedError,
} from '@proffer/client/participation';
import { defined, isJsonObject, type JsonObject } from '@proffer/core/json';
import { NOT_RUN_KEY, type UnknownCause } from '@proffer/core/operations';
import { describeCause, PLAIN } from '@proffer/core/words';
import { NotTakenError } from '../../channel/not-taken.js';
import { INTERNAL_ERROR, type RpcAnswer } from '../../json-rpc.js';
import type { Edited, Outcome } from './outcome.js';

/** The outcome of a call whose proposal failed. Anything but a decision means that nobody could be asked. */
export function outcomeOfFailure(error: unknown): Outcome {
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
  return { type: 'unavailable', why: error instanceof Error ? error.message : String(error) };
}

/** The outcome of a call that the server has answered. */
export function outcomeOfAnswer(answer: RpcAnswer, edited: Edited): Outcome {
  return 'error' in answer
    ? { type: 'failed', error: answer.error, ...edited }
    : { type: 'ran', result: answer.result, ...edited };
}

/** The outcome of an approved call that was given to the server, and got no answer (O-23). */
export function outcomeOfLostRun(error: unknown, edited: Edited): Outcome {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof NotTakenError) return { type: 'unavailable', why, isApproved: true };
  return { type: 'unknown', why, ...edited };
}

/**
 * The JSON-RPC error in an answer of a server, as something to throw. It cannot claim in our name that nothing was run.
 */
export function errorToThrow({ code, message, data }: JsonObject): OperationFailedError {
  const text = typeof message === 'string' ? message : 'The server answered with an error.';
  return new OperationFailedError(
    typeof code === 'number' ? code : INTERNAL_ERROR,
    text,
    isJsonObject(data) ? withoutNotRun(data) : data,
  );
}

function withoutNotRun(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== NOT_RUN_KEY));
}
