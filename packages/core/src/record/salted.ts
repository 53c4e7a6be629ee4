import type { HashText } from '../hash/sha256.js';
import { canonicalJson } from '../json/canonical.js';
import { isJsonArray, type JsonObject, type JsonValue } from '../json/json.js';

/**
 * The salts of a record's values, by their places (JSON pointers, such as `/envelope/payload/reason`). The record's hash
 * covers a salted hash in place of each of these values, so a value can be left out and the hash still be checked.
 * `null`: the value is left out, and {@link saltedHash} is in its place.
 */
export type Salts = { readonly [place: string]: string | null };

/** What is in place of a value: nobody finds the value without the salt, by trying or otherwise. */
export function saltedHash(value: JsonValue, salt: string, hash: HashText): string {
  // As a list: if salt and value were only put together, the end of one could pass for the start of the other.
  return `hidden:${hash(canonicalJson([salt, value]))}`;
}

/** What is hashed of a record whose values have salts: the hash of each of them, and where they are. */
export function hashedForm(
  { salts, ...record }: JsonObject & { readonly salts: Salts },
  hash: HashText,
): JsonObject {
  const places = Object.keys(salts).sort();
  return Object.assign(hideAt(record, salts, hash), { salts: places });
}

/** The record with a salted hash in place of each value that has a salt. */
function hideAt(record: JsonObject, salts: Salts, hash: HashText): JsonObject {
  return replaceValues(record, Object.keys(salts), (value, place) => {
    const salt = salts[place];
    return typeof salt === 'string' ? saltedHash(value, salt, hash) : value;
  });
}

/** Leaves values out of a record: in their places are their salted hashes. */
export function hideValues<Hiding extends JsonObject & { readonly salts?: Salts }>(
  record: Hiding,
  places: readonly string[],
  hash: HashText,
): Hiding {
  const { salts = {} } = record;
  const hidden = Object.fromEntries(places.map((place) => [place, salts[place] ?? null]));
  return Object.assign(hideAt(record, hidden, hash), {
    salts: { ...salts, ...Object.fromEntries(places.map((place) => [place, null])) },
  }) as Hiding;
}

/** A copy with other values at these places; a place where there is nothing is passed over. */
function replaceValues(
  whole: JsonObject,
  places: readonly string[],
  change: (value: JsonValue, place: string) => JsonValue,
): JsonObject {
  const found: Places = new Map();
  // In order: of two places, one in the other, the outer one counts.
  for (const place of [...places].sort()) addPlace(found, place);
  return replaceIn(whole, found, change) as JsonObject;
}

/** Places by the first step to them: the place itself, or those further in. */
type Places = Map<string, Places | string>;

function addPlace(to: Places, place: string): void {
  const steps = place.split('/').slice(1).map(nameOf);
  const last = steps.pop() ?? '';
  let at = to;
  for (const step of steps) {
    const next = at.get(step) ?? new Map();
    if (typeof next === 'string') return;
    at.set(step, next);
    at = next;
  }
  at.set(last, place);
}

function replaceIn(
  value: JsonValue,
  places: Places | string,
  change: (value: JsonValue, place: string) => JsonValue,
): JsonValue {
  if (typeof places === 'string') return change(value, places);
  if (value === null || typeof value !== 'object') return value;
  const copy = (isJsonArray(value) ? [...value] : { ...value }) as { [name: string]: JsonValue | undefined };
  for (const [name, inner] of places) {
    const member = isJsonArray(value) && name === 'length' ? undefined : own(copy, name);
    if (member !== undefined) copy[name] = replaceIn(member, inner, change);
  }
  return copy;
}

function own<Value>(of: { readonly [name: string]: Value }, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

function nameOf(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The place of a member of what is at another place. */
export function placeOf(parent: string, member: string | number): string {
  return `${parent}/${String(member).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
