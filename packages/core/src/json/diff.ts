import { sameJson } from './canonical.js';
import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

/** One difference between two JSON values; `before` is absent for what was added, `after` for what was removed. */
export type Change = {
  /** JSON Pointer (RFC 6901) to the place; empty for the whole value. */
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

/** What changed from one value to another: object keys one by one, anything else as a whole. Sorted by key. */
export function diffJson(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  path = '',
): readonly Change[] {
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
    return keys.flatMap((key) => diffJson(own(before, key), own(after, key), `${path}/${escapeStep(key)}`));
  }
  if (sameJson(before, after)) return [];
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** A key such as `constructor` is there only if the object itself has it. */
function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function escapeStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
