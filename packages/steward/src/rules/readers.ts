import { describe, formatPath } from '@proffer/core/json';
import {
  kindOf,
  listed,
  type MapTree,
  nearest,
  type Path,
  type Report,
  reportUnknownKeys,
  type Tree,
} from '@proffer/reading';

/** Reads a value; reports what is wrong and returns nothing. */
export type Reader<Value> = (tree: Tree, path: Path, report: Report) => Value | undefined;

/** A section with fixed keys. A key that it does not have is a problem, with the nearest one that it has. */
export function readSection(
  tree: Tree,
  path: Path,
  report: Report,
  keys: readonly string[],
): MapTree | undefined {
  if (tree.kind !== 'map') {
    report(tree.at, formatPath(path), `This is ${kindOf(tree)}; wanted: a section with ${listed(keys)}.`);
    return undefined;
  }
  reportUnknownKeys(tree, path, report, { keys, whole: 'A file of rules' });
  return tree;
}

/** The value behind a key of a section, read; nothing when the key is not there. */
export function readKey<Value>(
  section: MapTree,
  key: string,
  path: Path,
  report: Report,
  reader: Reader<Value>,
): Value | undefined {
  const entry = section.entries.get(key);
  return entry === undefined ? undefined : reader(entry.value, [...path, key], report);
}

/** Text that is not empty. A number is taken as it would be printed, so that `version: 3` needs no quotes. */
export const readText: Reader<string> = (tree, path, report) => {
  if (tree.kind === 'scalar') {
    if (typeof tree.value === 'string' && tree.value !== '') return tree.value;
    if (typeof tree.value === 'number') return String(tree.value);
  }
  wanted(tree, path, report, 'text');
  return undefined;
};

export const readFlag: Reader<boolean> = (tree, path, report) => {
  if (tree.kind === 'scalar' && typeof tree.value === 'boolean') return tree.value;
  const word = tree.kind === 'scalar' ? String(tree.value).toLowerCase() : '';
  const meant = /^(?:yes|on|1)$/.test(word) ? 'true' : /^(?:no|off|0)$/.test(word) ? 'false' : undefined;
  wanted(tree, path, report, 'true or false', meant ?? nearest(word, ['true', 'false']));
  return undefined;
};

/** One of a few words. */
export function readChoice<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (tree, path, report) => {
    const word = tree.kind === 'scalar' ? words.find((candidate) => candidate === tree.value) : undefined;
    if (word !== undefined) return word;
    const found = tree.kind === 'scalar' ? String(tree.value) : '';
    wanted(tree, path, report, `one of ${words.join(', ')}`, nearest(found, words));
    return undefined;
  };
}

/** One value or a list of them, at least one. */
export function readSome<Value>(item: Reader<Value>, what: string): Reader<readonly Value[]> {
  return (tree, path, report) => {
    if (tree.kind !== 'list') {
      const value = item(tree, path, report);
      return value === undefined ? undefined : [value];
    }
    if (tree.items.length === 0) wanted(tree, path, report, `at least one of ${what}`);
    const values = tree.items.flatMap((child, index) => {
      const value = item(child, [...path, index], report);
      return value === undefined ? [] : [value];
    });
    return values.length === tree.items.length ? values : undefined;
  };
}

/** Reports that something else stands here than what is wanted. */
export function wanted(
  tree: Tree,
  path: Path,
  report: Report,
  expected: string,
  suggestion?: string,
): undefined {
  const found =
    tree.kind === 'scalar' && tree.value !== null
      ? `${describe(tree.value)} is not right`
      : `This is ${kindOf(tree)}`;
  report(tree.at, formatPath(path), `${found}; wanted: ${expected}.`, suggestion);
}
