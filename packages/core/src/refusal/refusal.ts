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
 * Makes a refusal.
 *
 * @param what - what happened and to what, one sentence ending with a full stop
 * @param details - the same facts for programs; where a field is at fault: `field`, `found`, `expected`
 */
export function refuse<Code extends RefusalCode>(
  code: Code,
  what: string,
  details: JsonObject = {},
): Refusal<Code> {
  return { code, message: `${what} ${REFUSALS[code].advice}`, details };
}

/** What depends on records, such as a grant or a state, has one of these statuses. */
const ABOUT_STATE: ReadonlySet<number> = new Set([403, 404, 409]);

/** Except for these: what has ended stays ended, and who is connected is in no record. */
const NOT_IN_RECORDS: ReadonlySet<RefusalCode> = new Set([
  'proposal_not_pending',
  'executor_absent',
  'author_absent',
  'target_not_found',
  'already_serving',
]);

/**
 * Whether records that the decider has not seen yet could change the decision: a host that shares its journal checks
 * before it refuses.
 */
export function mayBeOutdated({ code }: Refusal): boolean {
  return ABOUT_STATE.has(REFUSALS[code].http) && !NOT_IN_RECORDS.has(code);
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
