import type { VersionedMap } from '../../collections/versioned-map.js';
import type { JsonObject } from '../../json/json.js';

/** Pairs sorted by key. Not an object: keys come from clients, and one may be `__proto__`. */
export function encodeMap<Value extends string | number | boolean | JsonObject>(
  map: VersionedMap<Value>,
): (readonly [string, Value])[] {
  return [...map].sort(([left], [right]) => (left < right ? -1 : 1));
}
