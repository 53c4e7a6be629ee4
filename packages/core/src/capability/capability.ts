import { formatKind, isMethod, subjectOf } from '../envelope/kind.js';
import { isIdentifier } from '../envelope/name.js';
import { recipientsOf, takesBack } from '../envelope/recipients.js';
import { describe, quote } from '../json/describe.js';
import { formatPath, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import { failure, type Result, refuse, success } from '../refusal/refusal.js';
import type { Strictness } from './deny-match.js';
import {
  type KindParts,
  type KindPattern,
  matchKindPattern,
  parseKindPattern,
  splitKind,
} from './kind-pattern.js';
import { isNegation, type PayloadMatcher, parsePayloadPattern } from './payload-pattern.js';

/** A place in a payload pattern that no payload can match. */
interface NeverMatches {
  /** As in `params.name`. */
  readonly path: string;
  readonly found: string;
  readonly expected: string;
}

/** Payloads always have text here, so a list is not a pattern for a list. */
const TEXTS: ReadonlySet<string> = new Set(['method', 'params.name', 'params.uri']);

const REGEX = /^\/(?=.*(?:[$^|+?()[\]\\]|\.\*)).*\/[a-z]*$/;

/**
 * Finds parts of a payload pattern that look like another pattern language and would be taken
 * literally, so that the capability would never grant anything: regexes, JSONPath, stars in keys, lists
 * of choices.
 */
function neverMatches(pattern: JsonObject): NeverMatches | undefined {
  return findIn(pattern, []);
}

function findIn(value: JsonValue, path: readonly (string | number)[]): NeverMatches | undefined {
  const at = formatPath(path);
  const never = (expected: string) => ({ path: at, found: describe(value), expected });
  if (typeof value === 'string') {
    return REGEX.test(isNegation(value) ? value.slice(1) : value)
      ? never('a text in which * and ** are wildcards; capabilities have no regex')
      : undefined;
  }
  if (isJsonArray(value)) {
    if (TEXTS.has(at)) return never('one text; write a capability for each of several');
    return firstOf(value.map((item, index) => findIn(item, [...path, index])));
  }
  if (!isJsonObject(value)) return undefined;
  return firstOf(
    Object.entries(value).map(([key, child]) => {
      const isOdd = key.includes('*') || /^\$[.[]/.test(key);
      if (isOdd)
        return { path: at, found: describe(key), expected: 'the name of a field, without wildcards' };
      return child === undefined ? undefined : findIn(child, [...path, key]);
    }),
  );
}

function firstOf(found: readonly (NeverMatches | undefined)[]): NeverMatches | undefined {
  return found.find((one) => one !== undefined);
}

/** A capability as written (O-8): a pattern over kinds, or one with addressees and patterns for the payload, too. */
export type CapabilitySource =
  | string
  | { readonly kind: string; readonly to?: readonly string[]; readonly payload?: JsonObject };

/** A parsed capability: how it was written, and what it grants. */
export interface Capability {
  readonly source: CapabilitySource;
  readonly kind: KindPattern;
  /** Only messages that name one or more of these as recipients, and nobody else. Absent if it does not matter whom. */
  readonly to?: readonly string[];
  /** Absent if any payload will do. */
  readonly payload?: PayloadMatcher;
}

/** The part of a message, besides its kind, that capabilities restrict. */
export interface Restricted {
  /** `some` if it does not matter, because only whether it could be sent to anyone is asked. */
  readonly to?: readonly string[] | 'some';
  readonly payload: JsonObject;
}

/**
 * Parses a capability from a configuration or a message (O-8). Refuses keys other than `kind`, `to` and
 * `payload`, patterns that {@link parseKindPattern} and {@link parsePayloadPattern} refuse, and those
 * that can never match ({@link neverMatches}).
 *
 * @param field - the capability's name in a refusal; a list names its index
 * @param reading - `wide` for a pattern that restricts: in doubt it matches
 */
export function parseCapability(
  value: JsonValue,
  field = 'capability',
  reading: Strictness = 'narrow',
): Result<Capability> {
  if (typeof value === 'string') {
    const kind = parseKindPattern(value, field, reading);
    return kind.ok ? success({ source: value, kind: kind.value }) : kind;
  }
  if (!isJsonObject(value)) return refuseForm(field, value, 'a pattern over kinds, or an object with kind');
  for (const key of Object.keys(value)) {
    if (key !== 'kind' && key !== 'to' && key !== 'payload') return refuseKey(field, key);
  }
  if (value['kind'] === undefined) {
    const at = `${field}.kind`;
    const expected = 'a pattern over kinds';
    return failure(refuse('missing_field', `${at} is missing.`, { field: at, found: null, expected }));
  }
  const kind = parseKindPattern(value['kind'], `${field}.kind`, reading);
  if (!kind.ok) return kind;
  const source = value as Exclude<CapabilitySource, string>;
  const { to, payload: pattern } = value;
  if (to !== undefined && !isNames(to))
    return refuseForm(`${field}.to`, to, 'an array of one or more names of participants, without wildcards');
  const restricted = { source, kind: kind.value, ...(to === undefined ? {} : { to }) };
  if (pattern === undefined) return success(restricted);
  if (!isJsonObject(pattern)) return refuseForm(`${field}.payload`, pattern, 'an object of patterns');
  const never = neverMatches(pattern);
  if (never !== undefined) {
    const { path, found, expected } = never;
    const at = [`${field}.payload`, path].filter((part) => part !== '').join('.');
    const what = `${at} can never match: ${found}.`;
    return failure(refuse('invalid_field', what, { field: at, found, expected }));
  }
  const payload = parsePayloadPattern(pattern, `${field}.payload`, reading, 'negatable');
  return payload.ok ? success({ ...restricted, payload: payload.value }) : payload;
}

function isNames(value: JsonValue): value is readonly string[] {
  return (
    isJsonArray(value) && value.length > 0 && value.every((name) => isIdentifier(name) && !name.includes('*'))
  );
}

/** Whether the capability grants a message of this complete kind (O-9). */
export function grants(capability: Capability, kind: KindParts, { to = [], payload }: Restricted): boolean {
  if (!matchKindPattern(capability.kind, kind)) return false;
  // A message to nobody in particular reaches others, too.
  if (capability.to !== undefined && to !== 'some' && !takesBack(kind.levels, payload)) {
    if (!isWithin(recipientsOf(kind.levels, { to, payload }), capability.to)) return false;
  }
  return capability.payload?.(payload) ?? true;
}

function isWithin(names: readonly string[], allowed: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => allowed.includes(name));
}

function refuseForm(field: string, value: JsonValue, expected: string) {
  const found = describe(value);
  return failure(refuse('invalid_field', `${field} is ${found}.`, { field, found, expected }));
}

function refuseKey(field: string, key: string) {
  const what = `${field} has an unknown key: ${quote(key)}.`;
  return failure(
    refuse('invalid_field', what, { field, found: quote(key), expected: 'kind, to and payload' }),
  );
}

/**
 * Whether a capability, read as a pattern over calls, is about addressees or about what is left out. A pattern that
 * restricts calls may be neither: whoever approves a call has no addressee yet, and a lookup by what is left out would
 * miss calls.
 */
export function leavesOut(capability: Capability): boolean {
  return capability.to !== undefined || hasNegation(patternOf(capability));
}

function hasNegation(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return isNegation(value);
  if (isJsonArray(value)) return value.some(hasNegation);
  return isJsonObject(value) && Object.values(value).some(hasNegation);
}

/**
 * Whether one capability plainly allows everything that another does. The inner pattern is matched as
 * if it were a message: its stars are characters that only a star of the outer one matches. In doubt
 * the answer is no, so that the inner one must be written more clearly.
 */
export function contains(outer: Capability, inner: Capability): boolean {
  const text = fullKindOf(inner);
  if (outer.kind.text !== text && !matchKindPattern(outer.kind, splitKind(text))) return false;
  if (outer.to !== undefined && !isWithin(inner.to ?? [], outer.to)) return false;
  const { payload } = outer;
  if (payload === undefined) return true;
  const wanted = patternOf(inner);
  return (
    negationsHold(patternOf(outer), wanted) && DEPTHS.every((depth) => payload(samplesOf(wanted, depth)))
  );
}

/**
 * The kind of a pattern as others are written, if mew clients wrote it. They leave the method, and what that is about, to the
 * payload; a message says both in both places (O-6). A response may leave out its method (O-9).
 */
function fullKindOf(capability: Capability): string {
  const { text } = capability.kind;
  if (text === ANY_RESPONSE) return 'mcp.response.*';
  const { method, params } = patternOf(capability);
  const [, operation] = /^mcp\.(request|proposal)\.\*$/.exec(text) ?? [];
  if (operation === undefined || !isMethod(method)) return text;
  const { name } = subjectOf(method, params) ?? {};
  const isOne = name !== undefined && !name.includes('*') && !isNegation(name);
  return formatKind({ protocol: 'mcp', operation, method, ...(isOne ? { context: name } : {}) });
}

/** How `mcp/response` is read. */
const ANY_RESPONSE = 'mcp.response*';

function patternOf({ source }: Capability): JsonObject {
  return typeof source === 'string' ? {} : (source.payload ?? {});
}

/**
 * Whether samples can be trusted where one of the two has a negation. It matches almost every sample: it plainly
 * contains only itself and a single other text, and only `**` plainly contains it.
 */
function negationsHold(outer: JsonValue | undefined, inner: JsonValue | undefined): boolean {
  if (typeof outer === 'string') {
    if (outer === inner || outer === '**') return true;
    const isNegated = typeof inner === 'string' && isNegation(inner);
    if (!isNegation(outer)) return !isNegated;
    return typeof inner === 'string' && !isNegated && !inner.includes('*');
  }
  if (isJsonArray(outer))
    return outer.every((item, index) => negationsHold(item, isJsonArray(inner) ? inner[index] : undefined));
  if (!isJsonObject(outer)) return true;
  return Object.entries(outer).every(([key, value]) =>
    negationsHold(value, isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
  );
}

/** How many path segments a double star stands for: it matches any number of them. */
const DEPTHS = [1, 2, 3];

/** Matches nothing but `**`, which matches everything: not even itself. */
const ANYTHING = Number.NaN;

function samplesOf(pattern: JsonObject, depth: number): JsonObject {
  return Object.fromEntries(Object.entries(pattern).map(([key, value]) => [key, sampleOf(value, depth)]));
}

function sampleOf(pattern: JsonValue | undefined, depth: number): JsonValue | undefined {
  if (typeof pattern === 'string') {
    if (pattern === '**') return ANYTHING;
    return isNegation(pattern) ? pattern : pattern.replaceAll('**', Array(depth).fill('*').join('/'));
  }
  if (isJsonArray(pattern)) return pattern.map((item) => sampleOf(item, depth) ?? null);
  return isJsonObject(pattern) ? samplesOf(pattern, depth) : pattern;
}
