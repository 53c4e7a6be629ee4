import { describe, quote } from '../json/describe.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import { failure, type Result, refuse, success } from '../refusal/refusal.js';
import { type KindParts, type KindPattern, matchKindPattern, parseKindPattern } from './kind-pattern.js';
import { neverMatches } from './never-matches.js';
import { type PayloadMatcher, parsePayloadPattern } from './payload-pattern.js';
import type { Strictness } from './wide-text.js';

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
