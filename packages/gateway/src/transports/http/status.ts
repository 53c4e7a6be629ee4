import { REFUSALS, type RefusalCode } from '@proffer/core';

/** The HTTP status of a refusal. */
export function httpStatus(code: RefusalCode): number {
  return REFUSALS[code].http;
}
