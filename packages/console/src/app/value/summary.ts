import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  replacementIn,
} from '@proffer/core/json';
import { HIDDEN } from '../text/hiding.js';
import { plainLine } from '../text/marked.js';
import { entriesOf } from './entries.js';

const LONGEST = 160;

/**
 * A summary of arguments on one line: their values, the short ones in full, an edit from the old text to the new one;
 * without secrets. It does not depend on the order of the arguments, which records do not keep.
 */
export function summarise(given: JsonObject): string {
  const shown = HIDDEN.value(given);
  const edit = replacementIn(shown);
  const entries = [...entriesOf(edit?.rest ?? shown)].sort(([left], [right]) => (left < right ? -1 : 1));
  if (edit !== undefined) entries.push(['edit', `${edit.before} → ${edit.after}`]);
  const parts: string[] = [];
  let length = 0;
  for (const [name, value] of entries.sort(byWeight)) {
    const part = partOf(name, value);
    parts.push(part);
    length += part.length;
    if (length > LONGEST) break;
  }
  return parts.join(' · ');
}

type Entry = readonly [name: string, value: JsonValue];

/** Arguments that say what a call is about: where it acts, on whom, on what. */
const TELLING = /path|file|dir|folder|ur[il]|name|title|repo|branch|host|email|^(?:to|key)$|(?:^|_)id$|Id$/;

/**
 * The most telling values come first: paths, names and ids, then other words, then numbers, then long texts.
 */
function byWeight(left: Entry, right: Entry): number {
  return weightOf(left) - weightOf(right);
}

function weightOf([name, value]: Entry): number {
  if (typeof value === 'string' && (value.includes('\n') || value.length > LONGEST)) return 4;
  if (typeof value === 'string') return TELLING.test(name) ? 0 : 1;
  return typeof value === 'number' ? 2 : 3;
}

function partOf(name: string, value: JsonValue): string {
  if (typeof value === 'string')
    return plainLine(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
  if (isJsonArray(value)) return `${plainLine(name)} (${value.length})`;
  if (isJsonObject(value)) return `${plainLine(name)} {…}`;
  return `${plainLine(name)} ${String(value)}`;
}
