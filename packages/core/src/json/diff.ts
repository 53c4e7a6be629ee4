import { sameJson } from './canonical.js';
import { defined } from './defined.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.js';

/** One difference between two JSON values; `before` is absent for an addition, `after` for a removal. */
export type Change = {
  /** JSON Pointer (RFC 6901) to the place; empty for the whole value. */
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

const MAX_CHANGES = 1000;
const MAX_PATH_CHARACTERS = 65_536;

/**
 * What changed from one value to another: object keys one by one, anything else as a whole. Sorted by
 * key.
 *
 * Every change carries its whole path, so many of them can be far longer than the values: with more
 * than 1000 changes, or more than 65,536 characters (UTF-16 units) in their paths together, the
 * result is one change of the whole value, at the empty path.
 */
export function diffJson(before: JsonValue | undefined, after: JsonValue | undefined): readonly Change[] {
  // Nearly always: what is approved runs as proposed.
  if (isAlike(before, after)) return NONE;
  const changes: Change[] = [];
  const steps: string[] = [];
  let spare = MAX_PATH_CHARACTERS;

  /** Collects the changes at a place and below it; false as soon as there are too many. */
  function collect(was: JsonValue | undefined, is: JsonValue | undefined, pathLength: number): boolean {
    if (isJsonObject(was) && isJsonObject(is)) return collectKeys(was, is, pathLength);
    if (sameJson(was, is)) return true;
    spare -= pathLength;
    if (spare < 0 || changes.length === MAX_CHANGES) return false;
    changes.push(change(steps.join(''), was, is));
    return true;
  }

  function collectKeys(was: JsonObject, is: JsonObject, pathLength: number): boolean {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
    // Sorting costs most, and most keys are unchanged.
    const candidates = [...keys].filter((key) => own(was, key) !== own(is, key)).sort();
    return candidates.every((key) => {
      const step = `/${escapeStep(key)}`;
      steps.push(step);
      const few = collect(own(was, key), own(is, key), pathLength + step.length);
      steps.pop();
      return few;
    });
  }

  return collect(before, after, 0) ? changes : [change('', before, after)];
}

const NONE: readonly Change[] = [];

/** Whether two values are equal with their keys in the same order. False does not mean that they differ. */
function isAlike(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) && one.length === other.length && one.every((item, at) => isAlike(item, other[at]))
    );
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  const others = Object.keys(other);
  return (
    keys.length === others.length &&
    keys.every((key, at) => key === others[at] && isAlike(one[key], other[key]))
  );
}

function change(path: string, before: JsonValue | undefined, after: JsonValue | undefined): Change {
  return { path, ...defined({ before, after }) };
}

/** A key such as `constructor` is present only as an own property. */
function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function escapeStep(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The value after changes. The reverse of {@link diffJson}; the value itself stays as it is. */
export function applyChanges(
  value: JsonValue | undefined,
  changes: readonly Change[],
): JsonValue | undefined {
  return changes.reduce<JsonValue | undefined>((before, { path, after }) => {
    const steps = path.split('/').slice(1);
    return changedAt(
      before,
      steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')),
      after,
    );
  }, value);
}

function changedAt(
  value: JsonValue | undefined,
  [step, ...rest]: readonly string[],
  after: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return after;
  const entries = new Map(Object.entries(isJsonObject(value) ? value : {}));
  const next = changedAt(entries.get(step), rest, after);
  if (next === undefined) entries.delete(step);
  else entries.set(step, next);
  return Object.fromEntries(entries);
}

/**
 * Both sides of a change as text, in one notation: without quotes only if no text among them could be taken for another
 * value. Otherwise a change from `"1"` to `1` would look like none.
 */
export function changeTexts(before: JsonValue | undefined, after: JsonValue | undefined) {
  const isPlain = [before, after].every((value) => value === undefined || isPlainText(value));
  const show = (value: JsonValue | undefined): string => {
    if (value === undefined) return '';
    return isPlain && typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
  };
  return { before: show(before), after: show(after) };
}

function isPlainText(value: JsonValue): boolean {
  return typeof value === 'string' && value !== '' && unmistakable(value) === value;
}

/** A text as shown: in quotes if it would look like another value without them, such as `"1"` or `"false"`. */
export function unmistakable(text: string): string {
  try {
    const value = JSON.parse(text) as JsonValue;
    return value === null || typeof value !== 'object' ? JSON.stringify(text) : text;
  } catch {
    return text;
  }
}
