import { OperationFailedError } from '@proffer/client/participation';
import { NOT_RUN_KEY } from '@proffer/core/operations';
import { INVALID_PARAMS, objectAt, type RpcAnswer } from '../../json-rpc.js';
import type { Outcome } from './outcome.js';

/** Someone asked for a call that has no proposal. */
export function notProposed(): OperationFailedError {
  const text =
    'Nothing was run: this call was not proposed. A tool behind a guard runs only when the proposal for it is approved.';
  return notRun(text, 'it was approved where it could not be run');
}

/** Someone approved a call for another server, whose guard had the same name. */
export function notThisServer(): OperationFailedError {
  const text =
    'Nothing was run: this call was proposed for another server (another command, arguments, folder or address) whose guard had the same name. Start that guard again and repeat the call; give the two guards different names with --name.';
  return notRun(text, 'it was approved where it could not be run');
}

/**
 * Someone approved a call that has finished, or whose result nobody would get.
 *
 * @param reason - why that is, as the end of a sentence
 */
export function nobodyWaits(reason: string): OperationFailedError {
  return notRun(`Nothing was run: nobody is waiting for this call any more (${reason}).`, reason);
}

/** Someone approved a call that the server certainly did not accept. */
export function notTaken(why: string): OperationFailedError {
  return notRun(`Nothing was run: the server did not accept the call. ${why}`, why);
}

/** Someone approved a call with changed arguments that the rules do not allow. */
export function changeDenied(reason: string): OperationFailedError {
  const text = `Nothing was run: the rules do not allow the changed call. ${reason}`;
  return new OperationFailedError(INVALID_PARAMS, text, { [NOT_RUN_KEY]: { outcome: 'denied', reason } });
}

/**
 * The outcome of a call that was answered with one of our errors; `undefined` if the answer is the server's.
 */
export function notRunIn(answer: RpcAnswer): Outcome | undefined {
  const data = 'error' in answer ? objectAt(answer.error, 'data') : {};
  const { outcome, reason } = objectAt(data, NOT_RUN_KEY);
  const isOurs = outcome === 'withdrawn' || outcome === 'denied';
  return isOurs && typeof reason === 'string' ? { type: outcome, reason } : undefined;
}

/** An error that says in its data how the call ended: it can be retried. */
function notRun(text: string, reason: string): OperationFailedError {
  return new OperationFailedError(INVALID_PARAMS, text, { [NOT_RUN_KEY]: { outcome: 'withdrawn', reason } });
}
