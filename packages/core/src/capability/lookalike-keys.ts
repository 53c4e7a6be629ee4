import type { JsonObject } from '../json/json.js';
import { foldText } from './deny-match.js';

/** A key of an object, and the wanted keys that it may be mistaken for. */
export interface Lookalike {
  readonly key: string;
  readonly meant: readonly string[];
}

/**
 * Finds keys that are not among these but that some parsers confuse with one of them: for many,
 * `Path` sets the same field as `path`, and the last one wins.
 */
export function lookalikesOf(wanted: readonly string[]): (found: JsonObject) => readonly Lookalike[] {
  const exact = new Set(wanted);
  const byFolded = new Map<string, string[]>();
  for (const key of exact) byFolded.set(foldName(key), [...(byFolded.get(foldName(key)) ?? []), key]);
  return (found) => {
    let lookalikes: Lookalike[] | undefined;
    for (const key of Object.keys(found)) {
      const meant = exact.has(key) ? undefined : byFolded.get(foldName(key));
      if (meant !== undefined) (lookalikes ??= []).push({ key, meant });
    }
    return lookalikes ?? NONE;
  };
}

const NONE: readonly Lookalike[] = [];

/**
 * A name without the differences that some parsers ignore ({@link foldText}): the same, faster for
 * plain names.
 */
export function foldName(name: string): string {
  return PLAIN.test(name) ? name.toLowerCase() : foldText(name);
}

const PLAIN = /^[\w.-]*$/;
