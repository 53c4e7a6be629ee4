import type { JsonObject } from '@proffer/core/json';
import { httpStatusOf, NotTakenError } from '../../channel/not-taken.js';
import { INTERNAL_ERROR } from '../../json-rpc.js';

/**
 * The client's error for a request that the server will not answer; for a call, also whether it may have run
 * (O-23).
 */
export function errorForLost(cause: Error, isCall: boolean): JsonObject {
  const { message } = cause;
  if (!isCall) {
    const httpStatus = httpStatusOf(cause);
    return { code: INTERNAL_ERROR, message, ...(httpStatus === undefined ? {} : { data: { httpStatus } }) };
  }
  if (cause instanceof NotTakenError)
    return { code: INTERNAL_ERROR, message: `${message} Nothing was run; call again.` };
  const text = `${message} The outcome is unknown: it may or may not have run. It is not run again automatically.`;
  return { code: INTERNAL_ERROR, message: text, data: { outcome: 'unknown' } };
}
