import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, sameJson } from '@proffer/core/json';
import { diffArrays } from 'diff';
import { parseJsonTree } from './json-tree.js';
import {
  type ArrayNode,
  type MemberNode,
  type ObjectNode,
  objectValueOf,
  type SettingsNode,
  type TextSpan,
  valueOf,
} from './settings-tree.js';
import { parseTomlTree } from './toml-tree.js';

/** The formats of settings files. */
export type SettingsFormat = 'json' | 'toml';

/** Settings that are not an object. */
export class NotAnObjectError extends Error {
  override readonly name = 'NotAnObjectError';
}

/**
 * The settings in a text; none in an empty one.
 *
 * @throws UnreadableTextError, NotAnObjectError
 */
export function readSettings(text: string, format: SettingsFormat): JsonObject {
  const tree = treeOf(text, format);
  return tree === undefined ? {} : objectValueOf(tree);
}

/**
 * The text with other settings in it: only what differs is written, and everything else stays as it is, with its
 * comments, order and spacing. What was added by this is removed by this without a trace.
 *
 * @throws UnreadableTextError, NotAnObjectError
 */
export function editSettings(text: string, format: SettingsFormat, wanted: JsonObject): string {
  const tree = treeOf(text, format);
  if (tree === undefined) return `${JSON.stringify(wanted, undefined, 2)}\n`;
  const edits: Edit[] = [];
  compare(tree, wanted, { text, format, edits, ...layoutOf(text) });
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((left, { start, end, by }) => `${left.slice(0, start)}${by}${left.slice(end)}`, text);
}

function treeOf(text: string, format: SettingsFormat): ObjectNode | undefined {
  const isJson = format === 'json';
  if (isJson && text.replace(/^\uFEFF/, '').trim() === '') return undefined;
  // A byte order mark is no part of either format; a space keeps all positions.
  const marked = text.replace(/^\uFEFF/, ' ');
  const tree = isJson ? parseJsonTree(marked) : parseTomlTree(marked);
  if (tree.kind !== 'object') throw new NotAnObjectError('It is not an object.');
  return tree;
}

interface Edit extends TextSpan {
  readonly by: string;
}

interface Sheet {
  readonly text: string;
  readonly format: SettingsFormat;
  readonly edits: Edit[];
  /** One step of indentation; `undefined` if everything is on one line. */
  readonly unit: string | undefined;
  readonly eol: string;
}

function layoutOf(text: string): Pick<Sheet, 'unit' | 'eol'> {
  const isOneLine = !text.trim().includes('\n');
  const [, unit = '  '] = /\n([ \t]+)"/.exec(text) ?? [];
  return {
    unit: isOneLine && text.trim() !== '{}' ? undefined : unit,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

function compare(node: SettingsNode, wanted: JsonValue, sheet: Sheet): void {
  if (sameJson(valueOf(node), wanted)) return;
  if (node.kind === 'object' && isJsonObject(wanted)) compareMembers(node, wanted, sheet);
  else if (node.kind === 'array' && isJsonArray(wanted)) compareItems(node, wanted, sheet);
  else {
    const { start, end } = node;
    sheet.edits.push({ start, end, by: written(wanted, sheet, indentAt(start, sheet)) });
  }
}

function compareMembers(node: ObjectNode, wanted: JsonObject, sheet: Sheet): void {
  // Of two members with one key, the last counts.
  const members = node.members.filter(
    ({ key }, at) => node.members.findLastIndex((one) => one.key === key) === at,
  );
  const kept = members.filter(({ key }) => Object.hasOwn(wanted, key));
  for (const member of kept) compare(member.node, wanted[member.key] ?? null, sheet);
  // A new member comes after the one that it follows in what is wanted.
  const added = new Map<MemberNode | undefined, (readonly [string, JsonValue])[]>();
  let last: MemberNode | undefined;
  for (const [key, value] of Object.entries(wanted)) {
    const member = kept.find((one) => one.key === key);
    if (member !== undefined) last = member;
    else if (value !== undefined) added.set(last, [...(added.get(last) ?? []), [key, value]]);
  }
  const isLines = node.form === 'lines';
  const list = { container: node, items: members, isLines };
  for (const gap of gapsIn(members, new Set(kept), added))
    changeGap(list, { ...gap, isLong: true }, sheet, ([key, value], indent) => {
      if (sheet.format === 'json') return `${JSON.stringify(key)}: ${written(value, sheet, indent)}`;
      return `${gap.after?.keyPrefix ?? ''}${tomlKey(key)} = ${written(value, sheet, indent)}`;
    });
}

function compareItems(node: ArrayNode, wanted: readonly JsonValue[], sheet: Sheet): void {
  const kept = new Set<SettingsNode>();
  const added = new Map<SettingsNode | undefined, readonly JsonValue[]>();
  let last: SettingsNode | undefined;
  let at = 0;
  for (const part of diffArrays(node.items.map(valueOf), [...wanted], { comparator: sameJson })) {
    if (part.added) {
      added.set(last, (added.get(last) ?? []).concat(part.value));
      continue;
    }
    const items = node.items.slice(at, at + part.count);
    at += part.count;
    if (part.removed) continue;
    for (const item of items) kept.add(item);
    last = items.at(-1);
  }
  const list = { container: node, items: node.items, isLines: false };
  for (const gap of gapsIn(node.items, kept, added)) {
    const isLong = gap.added.some((value) => typeof value === 'object');
    changeGap(list, { ...gap, isLong }, sheet, (value, indent) => written(value, sheet, indent));
  }
}

/** What changes between two neighbours that stay. */
interface Gap<Item extends TextSpan, Added> {
  readonly after: Item | undefined;
  readonly before: Item | undefined;
  readonly removed: readonly Item[];
  readonly added: readonly Added[];
}

function gapsIn<Item extends TextSpan, Added>(
  items: readonly Item[],
  kept: ReadonlySet<Item>,
  added: ReadonlyMap<Item | undefined, readonly Added[]>,
): readonly Gap<Item, Added>[] {
  const staying = items.filter((item) => kept.has(item));
  return [undefined, ...staying].flatMap((after, at) => {
    const before = staying[at];
    const from = after === undefined ? 0 : items.indexOf(after) + 1;
    const removed = items.slice(from, before === undefined ? items.length : items.indexOf(before));
    const gap = { after, before, removed, added: added.get(after) ?? [] };
    return removed.length + gap.added.length === 0 ? [] : [gap];
  });
}

interface List {
  readonly container: TextSpan;
  readonly items: readonly TextSpan[];
  /** Whether its items are lines, without brackets and commas. */
  readonly isLines: boolean;
}

function changeGap<Added>(
  { container, items, isLines }: List,
  { after, before, removed, added, isLong }: Gap<TextSpan, Added> & { readonly isLong: boolean },
  sheet: Sheet,
  show: (added: Added, indent: string) => string,
): void {
  const { text, unit, eol, edits } = sheet;
  const near = after ?? before ?? removed[0];
  const inside = unit === undefined ? '' : `${indentAt(container.start, sheet)}${unit}`;
  const indent = near === undefined || !startsLine(near.start, text) ? inside : indentAt(near.start, sheet);
  const isSpread =
    isLines || (isLong && unit !== undefined && (near === undefined || startsLine(near.start, text)));
  const separator = isLines ? `${eol}${indent}` : isSpread ? `,${eol}${indent}` : ', ';
  const shown = added.map((one) => show(one, indent)).join(separator);
  const [first, last] = [removed[0], removed.at(-1)];
  if (first !== undefined && last !== undefined) {
    if (added.length > 0) edits.push({ start: first.start, end: last.end, by: shown });
    else edits.push(...removal({ container, items, isLines }, { after, before, first, last }, text));
  } else if (after !== undefined)
    edits.push({ start: after.end, end: after.end, by: `${separator}${shown}` });
  else if (before !== undefined)
    edits.push({ start: before.start, end: before.start, by: `${shown}${separator}` });
  else {
    const [start, end] = [container.start + 1, container.end - 1];
    const isEmpty = text.slice(start, end).trim() === '';
    const by = isSpread ? `${eol}${inside}${shown}${eol}${indentAt(container.start, sheet)}` : shown;
    edits.push({ start, end: isEmpty && isSpread ? end : start, by });
  }
}

function removal(
  { container, isLines }: List,
  {
    after,
    before,
    first,
    last,
  }: {
    readonly after: TextSpan | undefined;
    readonly before: TextSpan | undefined;
    readonly first: TextSpan;
    readonly last: TextSpan;
  },
  text: string,
): readonly Edit[] {
  const isPlain = (from: number, to: number): boolean => /^[\s,]*$/.test(text.slice(from, to));
  if (after !== undefined && isPlain(after.end, first.start))
    return [{ start: after.end, end: last.end, by: '' }];
  if (isLines) {
    const start = text.lastIndexOf('\n', first.start) + 1;
    const next = text.indexOf('\n', last.end);
    return [{ start, end: next === -1 ? text.length : next + 1, by: '' }];
  }
  if (before !== undefined) return [{ start: first.start, end: before.start, by: '' }];
  if (after !== undefined) {
    const comma = commaAfter(after.end, text);
    return [
      { start: comma, end: comma + 1, by: '' },
      { start: first.start, end: last.end, by: '' },
    ];
  }
  const [start, end] = [container.start + 1, container.end - 1];
  const isSpread = text.slice(start, first.start).includes('\n');
  if (isSpread && isPlain(start, first.start) && isPlain(last.end, end)) return [{ start, end, by: '' }];
  const rest = /^\s*,/.exec(text.slice(last.end, end))?.[0].length ?? 0;
  return [{ start: first.start, end: last.end + rest, by: '' }];
}

/** The comma after a value, past comments. */
function commaAfter(from: number, text: string): number {
  const trivia = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/|#[^\n]*)*/y;
  trivia.lastIndex = from;
  trivia.exec(text);
  return trivia.lastIndex;
}

function written(value: JsonValue, { format, unit, eol }: Sheet, indent: string): string {
  if (format === 'toml') return tomlValue(value);
  if (unit === undefined || typeof value !== 'object') return JSON.stringify(value);
  const isFlat = isJsonArray(value) && value.every((item) => typeof item !== 'object');
  if (isFlat) return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `${eol}${indent}`);
}

function tomlValue(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (isJsonObject(value))
    return `{ ${Object.entries(value)
      .map(([key, item]) => `${tomlKey(key)} = ${tomlValue(item ?? '')}`)
      .join(', ')} }`;
  // A basic string of TOML has the escapes of JSON, and must not contain a bare DEL.
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlValue(key);
}

/** The indentation of the line that a position is in. */
function indentAt(position: number, { text }: Pick<Sheet, 'text'>): string {
  const start = text.lastIndexOf('\n', position - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, position))?.[0] ?? '';
}

function startsLine(position: number, text: string): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, position - 200), position));
}
