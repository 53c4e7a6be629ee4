import type { JsonObject, JsonValue } from '../json/json.js';
import { compileGlob, type Glob, matchGlob } from './glob.js';
import { isPlainPath } from './path-guard.js';

/**
 * How a pattern is read: `narrow` for one that grants, so that doubt does not match; `wide` for one
 * that restricts.
 */
export type Strictness = 'narrow' | 'wide';

const SEPARATORS = '/\\';

export interface DenyMatchOptions {
  /** What a single star does not cross. */
  readonly separators?: string;
  /** Which texts a pattern with a separator matches because they may lead anywhere. */
  readonly isDoubtful?: (found: string) => boolean;
}

/**
 * Matches a text pattern of a denying rule, where a missed match would do harm. Besides what matches
 * the pattern, it matches what could be mistaken for it:
 *
 * - if the pattern has a separator, every text that is not a plain path ({@link isPlainPath}; one
 *   leading separator is allowed): `/tmp/../etc/passwd` may be what `/etc/**` forbids; and the folder
 *   itself, `/etc`,
 * - what only looks different ({@link foldText}): `/ETC/passwd`, `file:///etc/passwd`,
 * - arrays and objects: a program that reads them as text may find anything in them.
 */
export function matchForDeny(
  pattern: string,
  glob: Glob,
  { separators = SEPARATORS, isDoubtful = isDoubtfulPath }: DenyMatchOptions = {},
): (found: JsonValue) => boolean {
  const isPath = /[/\\]/.test(pattern);
  const folded = foldText(pattern);
  const foldedGlob = compileGlob(folded, separators);
  const folder = folded.endsWith('/**') ? folded.slice(0, -3) : undefined;
  return (found) => {
    if (typeof found !== 'string') return typeof found === 'object' && found !== null;
    if (matchGlob(glob, found) || (isPath && isDoubtful(found))) return true;
    const text = foldText(found);
    return matchGlob(foldedGlob, text) || text === folder;
  };
}

/** Whether a text, for a pattern that forbids, may be this one ({@link matchForDeny}); stars are literal. */
export function looksLike(text: string): (found: JsonValue) => boolean {
  const isPath = /[/\\]/.test(text);
  const folded = foldText(text);
  return (found) => {
    if (typeof found !== 'string') return typeof found === 'object' && found !== null;
    return foldText(found) === folded || (isPath && isDoubtfulPath(found));
  };
}

/** Whether a text contains anything that some parsers drop or replace. */
export function isDisguised(text: string): boolean {
  return INVISIBLE.test(text) || text.normalize('NFKC') !== text.normalize('NFC') || text.trim() !== text;
}

/**
 * A text without differences that some parsers ignore: case, full-width and other compatibility
 * forms, invisible characters, surrounding spaces, percent-encoding, the kind of separator, and a
 * leading `file://`.
 */
export function foldText(text: string): string {
  // Most texts are already folded, and each is checked once per pattern.
  if (FOLDED.test(text)) return text;
  return decoded(text)
    .normalize('NFKC')
    .replaceAll(INVISIBLES, '')
    .trim()
    .toLowerCase()
    .replaceAll('\\', '/')
    .replace(/^file:\/\/(?:localhost)?(?=\/)/, '');
}

const FOLDED = /^[a-z0-9_./-]*$/;

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const INVISIBLES = /\p{Default_Ignorable_Code_Point}/gu;

function decoded(text: string): string {
  return text.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Occurs in every text that is not plain, and in few others: most paths need no closer look. */
const MAYBE_NOT_PLAIN = /[%\\\p{Cc}]|\/\/|(?:^|\/)[. ]/u;

/**
 * Whether a text is not a plain path, so that it may lead to whatever a pattern with a separator
 * forbids.
 */
export function isDoubtfulPath(text: string): boolean {
  return MAYBE_NOT_PLAIN.test(text) && !isPlainPath(text.replace(/^[/\\]/, ''));
}

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
