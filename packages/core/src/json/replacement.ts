import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.js';

/** Pairs of names under which tools take a replacement: the old text and the new text. */
const REPLACEMENTS: readonly (readonly [string, string])[] = [
  ['oldText', 'newText'],
  ['old_text', 'new_text'],
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['before', 'after'],
  ['search', 'replace'],
];

/** An edit of a text, as tools take it. */
export interface Replacement {
  readonly before: string;
  readonly after: string;
  /** What is given besides. */
  readonly rest: JsonObject;
}

/** A replacement, with the remaining entries; `undefined` if it is none. */
export function replacementIn(value: JsonObject): Replacement | undefined {
  for (const [was, is] of REPLACEMENTS) {
    const [before, after] = [value[was], value[is]];
    if (typeof before !== 'string' || typeof after !== 'string') continue;
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== was && key !== is));
    return { before, after, rest };
  }
  return undefined;
}

/** The replacements in a value: one, or a list of nothing else; `undefined` if it is something else. */
export function replacementsIn(value: JsonValue): readonly Replacement[] | undefined {
  const items = isJsonArray(value) ? value : [value];
  const found = items.flatMap((item) => (isJsonObject(item) ? (replacementIn(item) ?? []) : []));
  return found.length > 0 && found.length === items.length ? found : undefined;
}
