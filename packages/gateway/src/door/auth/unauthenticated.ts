import { failure, type Refusal, refuse } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';

/** A refusal for an unauthenticated caller. The message never contains any of the credential. */
export function unauthenticated(
  what: string,
  details: JsonObject = {},
): { readonly ok: false; readonly refusal: Refusal } {
  return failure(refuse('unauthenticated', what, details));
}
