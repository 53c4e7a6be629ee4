import { failure, type Refusal, refuse } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';

/** A refusal for a caller that could not be authenticated. The sentence never contains any of the credential. */
export function unauthenticated(
  what: string,
  details: JsonObject = {},
): { readonly ok: false; readonly refusal: Refusal } {
  return failure(refuse('unauthenticated', what, details));
}
