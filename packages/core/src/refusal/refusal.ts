import type { JsonObject } from '../json/json.js';
import { REFUSALS, type RefusalCode } from './codes.js';

/**
 * Why something was not accepted. A value, not an exception: nothing changed, nothing was recorded
 * (I-5). Programs decide by `code`; people read `message`, which says what happened, to what, and
 * what to do next; `details` has the same facts for programs.
 */
export interface Refusal<Code extends RefusalCode = RefusalCode> {
  readonly code: Code;
  readonly message: string;
  readonly details: JsonObject;
}

/**
 * Creates a refusal.
 *
 * @param what - what happened and to what, one sentence ending with a full stop
 * @param details - the same facts for programs; for an invalid field: `field`, `found`, `expected`
 */
export function refuse<Code extends RefusalCode>(
  code: Code,
  what: string,
  details: JsonObject = {},
): Refusal<Code> {
  return { code, message: `${what} ${REFUSALS[code].advice}`, details };
}

/**
 * Whether records that the decider has not seen yet could change the decision: a host that shares its
 * journal checks before it refuses.
 */
export function mayBeOutdated({ code }: Refusal): boolean {
  return REFUSALS[code].mayBeOutdated;
}

/** A value, or why there is none. */
export type Result<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

export function success<Value>(value: Value): Result<Value> {
  return { ok: true, value };
}

export function failure(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
