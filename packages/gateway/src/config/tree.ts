import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core';
import type { Place } from './problem.js';

/**
 * What a configuration says and where it says it, whether it came from YAML, JSON or environment
 * variables. Scalars stay text until a reader knows what they should be, so that nothing turns into a
 * number or a boolean by its looks alone.
 */
export type Tree = ScalarTree | ListTree | MapTree;

export interface ScalarTree {
  readonly kind: 'scalar';
  readonly text: string;
  /** Written without quotes, so that it can also stand for a number, a boolean or nothing. */
  readonly plain: boolean;
  readonly at: Place;
}

export interface ListTree {
  readonly kind: 'list';
  readonly items: readonly Tree[];
  readonly at: Place;
}

export interface MapTree {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, MapEntry>;
  readonly at: Place;
}

export interface MapEntry {
  readonly keyAt: Place;
  readonly value: Tree;
}

/** True for a key with nothing behind it, and for `null`. */
export function isNothing(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.plain && /^(?:|~|null)$/.test(tree.text);
}

/** What a tree is, for a message. Says nothing of what a scalar holds: it could be a secret. */
export function kindOf(tree: Tree): string {
  if (isNothing(tree)) return 'nothing';
  if (tree.kind === 'scalar') return 'one value';
  return tree.kind === 'list' ? `a list of ${tree.items.length}` : 'a section with keys';
}

/** The tree with another one put in at a path of keys; sections on the way are made where they lack. */
export function withTree(root: MapTree, path: readonly string[], tree: Tree): MapTree {
  const [key, ...rest] = path;
  if (key === undefined) return root;
  const entries = new Map(root.entries);
  const entry = entries.get(key);
  const empty: MapTree = { kind: 'map', entries: new Map(), at: tree.at };
  const child = entry === undefined || isNothing(entry.value) ? empty : entry.value;
  // A value where a section belongs stays as it is: its own problem is reported when it is read.
  const value = rest.length === 0 ? tree : child.kind === 'map' ? withTree(child, rest, tree) : child;
  entries.set(key, { keyAt: entry?.keyAt ?? tree.at, value });
  return { ...root, entries };
}

/** The tree at a path of keys, if it is written. */
export function findTree(root: Tree, path: readonly string[]): Tree | undefined {
  let tree: Tree | undefined = root;
  for (const key of path) {
    if (tree?.kind !== 'map') return undefined;
    tree = tree.entries.get(key)?.value;
  }
  return tree;
}

/** Where the key itself stands, not what is behind it. */
export function keyPlaceOf(root: Tree, path: readonly string[]): Place {
  const owner = findTree(root, path.slice(0, -1));
  const entry = owner?.kind === 'map' ? owner.entries.get(path[path.length - 1] ?? '') : undefined;
  return entry?.keyAt ?? placeOf(root, path);
}

/** Where a value stands (of a section or list: its key), or the nearest section around it that is written. */
export function placeOf(root: Tree, path: readonly string[]): Place {
  const tree = findTree(root, path);
  if (tree === undefined) return path.length === 0 ? root.at : placeOf(root, path.slice(0, -1));
  if (tree.kind === 'scalar' || path.length === 0) return tree.at;
  return keyPlaceOf(root, path);
}

const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;

/** The tree as JSON data, with plain scalars read as YAML reads them. */
export function treeToJson(tree: Tree): JsonValue {
  if (tree.kind === 'list') return tree.items.map(treeToJson);
  if (tree.kind === 'map') {
    return Object.fromEntries(Array.from(tree.entries, ([key, { value }]) => [key, treeToJson(value)]));
  }
  if (isNothing(tree)) return null;
  if (!tree.plain) return tree.text;
  if (tree.text === 'true' || tree.text === 'false') return tree.text === 'true';
  return NUMBER.test(tree.text) ? Number(tree.text) : tree.text;
}

/** JSON data as a tree, all of it at one place. */
export function treeFromJson(value: JsonValue, at: Place): Tree {
  if (isJsonArray(value)) return { kind: 'list', items: value.map((item) => treeFromJson(item, at)), at };
  if (!isJsonObject(value))
    return { kind: 'scalar', text: String(value), plain: typeof value !== 'string', at };
  const entries = new Map<string, MapEntry>();
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) entries.set(key, { keyAt: at, value: treeFromJson(member, at) });
  }
  return { kind: 'map', entries, at };
}
