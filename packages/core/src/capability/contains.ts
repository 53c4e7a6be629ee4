import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.js';
import type { Capability } from './capability.js';
import { matchKindPattern, splitKind } from './kind-pattern.js';

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
