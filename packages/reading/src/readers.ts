import { formatPath, quote } from '@proffer/core/json';
import { listed, nearest } from './nearest.js';
import type { Report } from './problem.js';
import { isNothing, kindOf, type MapTree, type Tree } from './tree.js';

/** Reads a value. Reports what is wrong, and then returns nothing or whatever could be read. */
export type ValueReader<Value> = (tree: Tree, path: Path, report: Report) => Value | undefined;

/** The parsed value, or why the text is invalid. */
export type Parsed<Value> =
  | { readonly value: Value }
  | { readonly expected: string; readonly suggestion?: string | undefined };

/** Reports a value of the wrong type. */
export function wanted(
  tree: Tree,
  path: Path,
  report: Report,
  expected: string,
  suggestion?: string,
): undefined {
  report(tree.at, formatPath(path), `${describeProblem(tree)}; expected ${expected}.`, suggestion);
}

/** Reports that a list or a section is expected. Never quotes the value: it could be a secret. */
export function wantedShape(tree: Tree, path: Path, report: Report, expected: string): undefined {
  report(tree.at, formatPath(path), `This is ${kindOf(tree)}; expected ${expected}.`);
}

function describeProblem(tree: Tree): string {
  if (tree.kind !== 'scalar' || isNothing(tree)) return `This is ${kindOf(tree)}`;
  return `${typeof tree.value === 'string' ? quote(tree.text) : tree.text} is invalid`;
}

/**
 * One value, parsed from its text. If parsing fails, the problem says what was found, unless
 * `secret`, and what is expected.
 */
export function readScalar<Value>(
  parse: (text: string, plain: boolean) => Parsed<Value>,
  expected: string,
  secrecy: 'public' | 'secret' = 'public',
): ValueReader<Value> {
  return (tree, path, report) => {
    if (tree.kind !== 'scalar' || isNothing(tree)) return wanted(tree, path, report, expected);
    const parsed = parse(tree.text, tree.plain);
    if ('value' in parsed) return parsed.value;
    if (secrecy === 'public') return wanted(tree, path, report, parsed.expected, parsed.suggestion);
    report(tree.at, formatPath(path), `Invalid value; expected ${parsed.expected}.`, parsed.suggestion);
    return undefined;
  };
}

/** Non-empty text. A number is taken as written, so that `version: 3` needs no quotes. */
export function readText(what = 'text'): ValueReader<string> {
  return readScalar((found) => (found === '' ? { expected: what } : { value: found }), what);
}

const LOOKS_LIKE: ReadonlyMap<string, 'true' | 'false'> = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['1', 'true'],
  ['no', 'false'],
  ['off', 'false'],
  ['0', 'false'],
]);

/** `true` or `false`, without quotes. */
export const readFlag: ValueReader<boolean> = readScalar((found, plain) => {
  const lower = found.toLowerCase();
  if (plain && /^(?:[Tt]rue|TRUE|[Ff]alse|FALSE)$/.test(found)) return { value: lower === 'true' };
  return {
    expected: 'true or false',
    suggestion: LOOKS_LIKE.get(lower) ?? nearest(lower, ['true', 'false']),
  };
}, 'true or false');

/** An integer between two bounds, both inclusive. */
export function readWholeNumber(least: number, most: number): ValueReader<number> {
  const expected = `a whole number from ${least} to ${most}`;
  return readScalar((found, plain) => {
    const value = plain && /^\d{1,15}$/.test(found) ? Number(found) : Number.NaN;
    return value >= least && value <= most ? { value } : { expected };
  }, expected);
}

/** One of a few words. */
export function readChoice<Word extends string>(words: readonly Word[]): ValueReader<Word> {
  const expected = `one of ${words.join(', ')}`;
  return readScalar((found) => {
    const word = words.find((candidate) => candidate === found);
    return word === undefined ? { expected, suggestion: nearest(found, words) } : { value: word };
  }, expected);
}

/** A list, possibly empty. Items that cannot be read are left out, each with a problem. */
export function readList<Value>(item: ValueReader<Value>, what: string): ValueReader<readonly Value[]> {
  return (tree, path, report) => {
    if (isNothing(tree)) return [];
    if (tree.kind !== 'list') return wantedShape(tree, path, report, `a list of ${what}`);
    return tree.items.flatMap((child, index) => {
      const value = item(child, [...path, index], report);
      return value === undefined ? [] : [value];
    });
  };
}

/** One value or a non-empty list of them. */
export function readOneOrMore<Value>(item: ValueReader<Value>, what: string): ValueReader<readonly Value[]> {
  return (tree, path, report) => {
    const items = tree.kind === 'list' ? tree.items : undefined;
    if (items?.length === 0) return wanted(tree, path, report, `at least one of ${what}`);
    if (items !== undefined) {
      const values = readList(item, what)(tree, path, report);
      return values?.length === items.length ? values : undefined;
    }
    const value = item(tree, path, report);
    return value === undefined ? undefined : [value];
  };
}

/**
 * A section with fixed keys. An unknown key is a problem that suggests the nearest known one.
 *
 * @param known - its keys, and for the root the name of the whole file, to start a sentence with
 */
export function readSection(
  tree: Tree,
  path: Path,
  report: Report,
  known: { readonly keys: readonly string[]; readonly whole?: string },
): MapTree | undefined {
  if (tree.kind !== 'map') return wantedShape(tree, path, report, `a section with ${listed(known.keys)}`);
  reportUnknownKeys(tree, path, report, { whole: 'The file', ...known });
  return tree;
}

/** The value under a key of a section; `undefined` if the key is absent. */
export function readKey<Value>(
  section: MapTree,
  key: string,
  path: Path,
  report: Report,
  reader: ValueReader<Value>,
): Value | undefined {
  const entry = section.entries.get(key);
  return entry === undefined ? undefined : reader(entry.value, [...path, key], report);
}

/** The keys (and list indexes) that lead to a value. */
export type Path = readonly (string | number)[];

/**
 * Reports every unknown key of a section and suggests the nearest known one.
 *
 * @param known - the known keys, and the name of the whole file, to start a sentence with
 */
export function reportUnknownKeys(
  tree: MapTree,
  path: Path,
  report: Report,
  known: { readonly keys: readonly string[]; readonly whole: string },
): void {
  const { keys, whole } = known;
  for (const [key, { keyAt }] of tree.entries) {
    if (keys.includes(key)) continue;
    const where = path.length === 0 ? whole : formatPath(path);
    const message = `Unknown key ${quote(key)}. ${where} has ${listed(keys)}.`;
    report(keyAt, formatPath([...path, key]), message, nearest(key, keys));
  }
}
