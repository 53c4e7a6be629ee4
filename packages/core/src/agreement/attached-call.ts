import { isIdentifier } from '../envelope/name.js';
import { digestJson } from '../hash/sha256.js';
import { describe, quote } from '../json/describe.js';
import { isJsonObject, type JsonObject } from '../json/json.js';
import { parseJson } from '../json/parse.js';
import type { AgreedCall } from '../operations/agreements/agreement.js';
import { failure, type Result, refuse, success } from '../refusal/refusal.js';
import { textInBase64 } from './base64.js';

/** The key of the attached JSON under which an offer has its call. */
export const CALL_KEY = 'proffer/call';

/** What the `authority_scope` of a Commitment about a call begins with; the digest follows. */
const SCOPE = 'call:';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * A call as JSON that can be attached: the `details` of an offer or a request, or the `supporting_data` of an option.
 *
 * @param more - what the parties want to add; the call alone can run
 */
export function attachCall(call: AgreedCall, more: JsonObject = {}): JsonObject {
  return { ...more, [CALL_KEY]: call };
}

/** The `authority_scope` of a Commitment of exactly this call (N-32). */
export function scopeOf(call: AgreedCall): string {
  return `${SCOPE}${digestJson(call)}`;
}

/** The digest of the call that a Commitment names; `undefined` if it is not about one. */
export function digestInScope(scope: string): string | undefined {
  const digest = scope.startsWith(SCOPE) ? scope.slice(SCOPE.length) : '';
  return DIGEST.test(digest) ? digest : undefined;
}

/**
 * The call in the attachment of an offer; `undefined` if it has none. Refuses whatever could be read in two ways: bad
 * UTF-8, duplicate keys, fields that are not known here.
 *
 * @param attachment - base64
 */
export function readAttachedCall(attachment: string): Result<AgreedCall> | undefined {
  const text = textInBase64(attachment);
  if (text === undefined || !text.includes(CALL_KEY)) return undefined;
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const call = isJsonObject(parsed.value) ? parsed.value[CALL_KEY] : undefined;
  return call === undefined ? undefined : readCall(call);
}

const NEW = ['space', 'method', 'params', 'executor'];
const EXISTING = ['space', 'proposal', 'digest'];

function readCall(call: unknown): Result<AgreedCall> {
  if (!isJsonObject(call)) return wrong('', describe(call), 'an object');
  const known = call['proposal'] === undefined ? NEW : EXISTING;
  const strange = Object.keys(call).find((key) => !known.includes(key));
  if (strange !== undefined) return wrong(`.${strange}`, quote(strange), known.join(', '));
  const { params, executor } = call;
  for (const key of ['space', known === NEW ? 'method' : 'proposal'])
    if (!isIdentifier(call[key])) return wrong(`.${key}`, describe(call[key]), 'a name');
  if (known === EXISTING) {
    const { digest } = call;
    const isDigest = typeof digest === 'string' && DIGEST.test(digest);
    if (!isDigest) return wrong('.digest', describe(digest), 'the digest of the proposal');
  }
  if (params !== undefined && !isJsonObject(params)) return wrong('.params', describe(params), 'an object');
  if (executor !== undefined && !isIdentifier(executor))
    return wrong('.executor', describe(executor), 'a name');
  // Every field was checked.
  return success(call as unknown as AgreedCall);
}

function wrong(path: string, found: string, expected: string): ReturnType<typeof failure> {
  const field = `${CALL_KEY}${path}`;
  const what = `${quote(field)} is ${found}; expected ${expected}.`;
  return failure(refuse('invalid_field', what, { field, found, expected }));
}
