import { OperationFailedError } from '@proffer/client';
import { INVALID_PARAMS } from '../json-rpc.js';

/** Somebody asked for a call that no proposal is for. */
export function notProposed(): OperationFailedError {
  const text =
    'Nothing was run: this call was not proposed. A tool behind a guard runs only when the proposal for it is approved.';
  return new OperationFailedError(INVALID_PARAMS, text);
}

/** Somebody approved a call that is over, or that nobody would get the result of. */
export function nobodyWaits(): OperationFailedError {
  return new OperationFailedError(INVALID_PARAMS, 'Nothing was run: nobody waits for this call any more.');
}
