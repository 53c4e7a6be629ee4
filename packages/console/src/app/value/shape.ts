import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { entriesOf } from './entries.js';

/** How to display a value. */
export type Shape =
  | { readonly as: 'line'; readonly text: string; readonly isCode: boolean }
  | { readonly as: 'prose'; readonly text: string }
  | { readonly as: 'code'; readonly text: string }
  | { readonly as: 'edit'; readonly before: string; readonly after: string; readonly rest: JsonObject }
  | { readonly as: 'edits'; readonly edits: readonly JsonObject[] }
  | { readonly as: 'table'; readonly columns: readonly string[]; readonly rows: readonly JsonObject[] }
  | { readonly as: 'list'; readonly items: readonly JsonValue[] }
  | { readonly as: 'object'; readonly entries: readonly (readonly [string, JsonValue])[] };

/** Pairs of names under which tools take a replacement: the old text and the new text. */
const REPLACEMENTS: readonly (readonly [string, string])[] = [
  ['oldText', 'newText'],
  ['old_text', 'new_text'],
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['before', 'after'],
  ['search', 'replace'],
];

/** Names that usually hold prose rather than code. */
const PROSE =
  /^(?:text|message|body|description|summary|reason|comment|title|subject|note|prompt|question|answer)$/i;

const LONG_LINE = 120;
const MAX_COLUMNS = 8;

/** Chooses how to display a value. Every form shows all of it. */
export function shapeOf(name: string, value: JsonValue): Shape {
  if (typeof value === 'string') return shapeOfText(name, value);
  if (isJsonArray(value)) return shapeOfList(value);
  if (isJsonObject(value)) return replacementIn(value) ?? { as: 'object', entries: entriesOf(value) };
  return { as: 'line', text: JSON.stringify(value), isCode: true };
}

function shapeOfText(name: string, text: string): Shape {
  const isProse = PROSE.test(name);
  if (text.includes('\n') || text.length > LONG_LINE) return { as: isProse ? 'prose' : 'code', text };
  return { as: 'line', text: unmistakable(text), isCode: !isProse };
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

function shapeOfList(items: readonly JsonValue[]): Shape {
  const objects = items.filter(isJsonObject);
  if (objects.length === 0 || objects.length < items.length) return { as: 'list', items };
  if (objects.every((item) => replacementIn(item) !== undefined)) return { as: 'edits', edits: objects };
  const columns = [...new Set(objects.flatMap((item) => Object.keys(item)))];
  const isFlat = objects.every((item) =>
    Object.values(item).every((cell) => !isJsonArray(cell) && !isJsonObject(cell)),
  );
  if (!isFlat || columns.length > MAX_COLUMNS || objects.length < 2) return { as: 'list', items };
  return { as: 'table', columns, rows: objects };
}

/** A replacement, with the remaining entries. */
export function replacementIn(value: JsonObject): (Shape & { readonly as: 'edit' }) | undefined {
  for (const [was, is] of REPLACEMENTS) {
    const [before, after] = [value[was], value[is]];
    if (typeof before !== 'string' || typeof after !== 'string') continue;
    const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== was && key !== is));
    return { as: 'edit', before, after, rest };
  }
  return undefined;
}
