import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core';
import { plainLine } from '../text/marked.js';
import { entriesOf } from './entries.js';

const LONGEST = 160;

/** What stands out among arguments, on one line: their values, the short ones as they are. */
export function summarise(given: JsonObject): string {
  const parts: string[] = [];
  let length = 0;
  for (const [name, value] of [...entriesOf(given)].sort(byWeight)) {
    const part = partOf(name, value);
    parts.push(part);
    length += part.length;
    if (length > LONGEST) break;
  }
  return parts.join(' · ');
}

/** What says most in one line comes first: a path or a name before a whole text, a text before a number. */
function byWeight([, left]: readonly [string, JsonValue], [, right]: readonly [string, JsonValue]): number {
  return weightOf(left) - weightOf(right);
}

function weightOf(value: JsonValue): number {
  if (typeof value !== 'string') return typeof value === 'number' ? 1 : 2;
  return value.includes('\n') || value.length > LONGEST ? 3 : 0;
}

function partOf(name: string, value: JsonValue): string {
  if (typeof value === 'string')
    return plainLine(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
  if (isJsonArray(value)) return `${value.length} × ${plainLine(name)}`;
  if (isJsonObject(value)) return `${plainLine(name)} {…}`;
  return `${plainLine(name)} ${String(value)}`;
}
