import { VersionedMap } from '../../collections/versioned-map.js';
import type { JsonObject } from '../../json/json.js';

/** Pairs sorted by key. Not an object: keys come from clients, and one may be `__proto__`. */
export function encodeMap<Value extends string | number | boolean | JsonObject>(
  map: VersionedMap<Value>,
): (readonly [string, Value])[] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}

/** The inverse of {@link encodeMap}; all empty maps are the same object. */
export function decodeMap<Value extends string | number | boolean | JsonObject>(
  pairs: readonly (readonly [string, Value])[],
): VersionedMap<Value> {
  return pairs.length === 0 ? VersionedMap.empty() : VersionedMap.of(pairs);
}
