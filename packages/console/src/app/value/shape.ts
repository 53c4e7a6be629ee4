import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  replacementIn,
  unmistakable,
} from '@proffer/core/json';
import { entriesOf } from './entries.js';

/** How to display a value. */
export type Shape =
  | { readonly as: 'line'; readonly text: string; readonly isCode: boolean }
  | { readonly as: 'prose'; readonly text: string }
  | { readonly as: 'code'; readonly text: string }
  | { readonly as: 'edit' }
  | { readonly as: 'edits'; readonly edits: readonly JsonObject[] }
  | { readonly as: 'table'; readonly columns: readonly string[]; readonly rows: readonly JsonObject[] }
  | { readonly as: 'list'; readonly items: readonly JsonValue[] }
  | { readonly as: 'object'; readonly entries: readonly (readonly [string, JsonValue])[] };

/** Names that usually hold prose rather than code. */
const PROSE =
  /^(?:text|message|body|description|summary|reason|comment|title|subject|note|prompt|question|answer)$/i;

const LONG_LINE = 120;
const MAX_COLUMNS = 8;

/** Chooses how to display a value. Every form shows all of it. */
export function shapeOf(name: string, value: JsonValue): Shape {
  if (typeof value === 'string') return shapeOfText(name, value);
  if (isJsonArray(value)) return shapeOfList(value);
  if (isJsonObject(value)) {
    return replacementIn(value) === undefined ? { as: 'object', entries: entriesOf(value) } : { as: 'edit' };
  }
  return { as: 'line', text: JSON.stringify(value), isCode: true };
}

function shapeOfText(name: string, text: string): Shape {
  const isProse = PROSE.test(name);
  if (text.includes('\n') || text.length > LONG_LINE) return { as: isProse ? 'prose' : 'code', text };
  return { as: 'line', text: unmistakable(text), isCode: !isProse };
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
