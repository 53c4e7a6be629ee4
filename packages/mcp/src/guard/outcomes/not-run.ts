import { notRunError } from '@proffer/client/own-calls';
import type { OperationFailedError } from '@proffer/client/participation';

const WRONG_PLACE = 'it was approved where it could not be run';

/** Someone asked for a call that has no proposal. */
export function notProposed(): OperationFailedError {
  const text =
    'Nothing was run: this call was not proposed. A tool behind a guard runs only when the proposal for it is approved.';
  return notRunError(text, WRONG_PLACE);
}

/** Someone approved a call for another server, whose guard had the same name. */
export function notThisServer(): OperationFailedError {
  const text =
    'Nothing was run: this call was proposed for another server (another command, arguments, folder or address) whose guard had the same name. Start that guard again and repeat the call; give the two guards different names with --name.';
  return notRunError(text, WRONG_PLACE);
}

/** Someone approved a call that the server certainly did not accept. */
export function notTaken(why: string): OperationFailedError {
  return notRunError(`Nothing was run: the server did not accept the call. ${why}`, why);
}
