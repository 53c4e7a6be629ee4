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
import { type PayloadMatcher, parsePayloadPattern } from './payload-pattern.js';

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
 * literally, so that the capability would never grant anything: negations, regexes, JSONPath, stars
 * in keys, lists of choices.
 */
function neverMatches(pattern: JsonObject): NeverMatches | undefined {
  return findIn(pattern, []);
}

function findIn(value: JsonValue, path: readonly (string | number)[]): NeverMatches | undefined {
  const at = formatPath(path);
  const never = (expected: string) => ({ path: at, found: describe(value), expected });
  if (typeof value === 'string') {
    if (value.startsWith('!')) return never('a pattern to grant; capabilities cannot be negated');
    return REGEX.test(value)
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

/** A capability as written (O-8): a pattern over kinds, or one with patterns for the payload, too. */
export type CapabilitySource = string | { readonly kind: string; readonly payload?: JsonObject };

/** A parsed capability: how it was written, and what it grants. */
export interface Capability {
  readonly source: CapabilitySource;
  readonly kind: KindPattern;
  /** Absent if any payload will do. */
  readonly payload?: PayloadMatcher;
}

/**
 * Parses a capability from a configuration or a message (O-8). Refuses keys other than `kind` and
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
    if (key !== 'kind' && key !== 'payload') return refuseKey(field, key);
  }
  if (value['kind'] === undefined) {
    const at = `${field}.kind`;
    const expected = 'a pattern over kinds';
    return failure(refuse('missing_field', `${at} is missing.`, { field: at, found: null, expected }));
  }
  const kind = parseKindPattern(value['kind'], `${field}.kind`, reading);
  if (!kind.ok) return kind;
  const source = value as Exclude<CapabilitySource, string>;
  const pattern = value['payload'];
  if (pattern === undefined) return success({ source, kind: kind.value });
  if (!isJsonObject(pattern)) return refuseForm(`${field}.payload`, pattern, 'an object of patterns');
  const never = neverMatches(pattern);
  if (never !== undefined) {
    const { path, found, expected } = never;
    const at = [`${field}.payload`, path].filter((part) => part !== '').join('.');
    const what = `${at} can never match: ${found}.`;
    return failure(refuse('invalid_field', what, { field: at, found, expected }));
  }
  const payload = parsePayloadPattern(pattern, `${field}.payload`, reading);
  return payload.ok ? success({ source, kind: kind.value, payload: payload.value }) : payload;
}

/** Whether the capability grants a message of this complete kind (O-9) with this payload. */
export function grants(capability: Capability, kind: KindParts, payload: JsonObject): boolean {
  return matchKindPattern(capability.kind, kind) && (capability.payload?.(payload) ?? true);
}

function refuseForm(field: string, value: JsonValue, expected: string) {
  const found = describe(value);
  return failure(refuse('invalid_field', `${field} is ${found}.`, { field, found, expected }));
}

function refuseKey(field: string, key: string) {
  const what = `${field} has an unknown key: ${quote(key)}.`;
  return failure(refuse('invalid_field', what, { field, found: quote(key), expected: 'kind and payload' }));
}

/**
 * Whether one capability plainly allows everything that another does. The inner pattern is matched as
 * if it were a message: its stars are characters that only a star of the outer one matches. In doubt
 * the answer is no, so that the inner one must be written more clearly.
 */
export function contains(outer: Capability, inner: Capability): boolean {
  const { text } = inner.kind;
  if (outer.kind.text !== text && !matchKindPattern(outer.kind, splitKind(text))) return false;
  return outer.payload === undefined || outer.payload(payloadOf(inner));
}

function payloadOf({ source }: Capability): JsonObject {
  return typeof source === 'string' || source.payload === undefined ? {} : samplesOf(source.payload);
}

function samplesOf(pattern: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(pattern).map(([key, value]) => [key, sampleOf(value)]));
}

/** A double star crosses path segments, so its stand-in contains one. */
function sampleOf(pattern: JsonValue | undefined): JsonValue | undefined {
  if (typeof pattern === 'string') return pattern.replaceAll('**', '*/*');
  if (isJsonArray(pattern)) return pattern.map((item) => sampleOf(item) ?? null);
  return isJsonObject(pattern) ? samplesOf(pattern) : pattern;
}
