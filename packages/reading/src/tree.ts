import { isJsonArray, isJsonObject, type JsonValue } from '@proffer/core/json';
import type { SourcePosition } from './problem.js';

/** What a file says and where. */
export type Tree = ScalarTree | ListTree | MapTree;

export interface ScalarTree {
  readonly kind: 'scalar';
  /** As written, without quotes; for readers that know the expected type. */
  readonly text: string;
  /** Written without quotes, so it can also be a number, a boolean or null. */
  readonly plain: boolean;
  /** What YAML takes the plain text for. */
  readonly value: string | number | boolean | null;
  readonly at: SourcePosition;
}

export interface ListTree {
  readonly kind: 'list';
  readonly items: readonly Tree[];
  readonly at: SourcePosition;
}

export interface MapTree {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, MapEntry>;
  readonly at: SourcePosition;
}

export interface MapEntry {
  readonly keyAt: SourcePosition;
  readonly value: Tree;
}

/** True for a key without a value, and for `null`. */
export function isNothing(tree: Tree): boolean {
  return tree.kind === 'scalar' && tree.value === null;
}

/** Describes a tree for a message. Never quotes a scalar: it could be a secret. */
export function kindOf(tree: Tree): string {
  if (isNothing(tree)) return 'nothing';
  if (tree.kind === 'scalar') return 'one value';
  return tree.kind === 'list' ? `a list of ${tree.items.length}` : 'a section with keys';
}

/** The tree as JSON data. */
export function treeToJson(tree: Tree): JsonValue {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list') return tree.items.map(treeToJson);
  return Object.fromEntries(Array.from(tree.entries, ([key, { value }]) => [key, treeToJson(value)]));
}

/** Wraps program data in a tree, as if all of it were at one position. */
export function treeOfJson(value: JsonValue, at: SourcePosition): Tree {
  if (isJsonArray(value)) return { kind: 'list', items: value.map((item) => treeOfJson(item, at)), at };
  if (!isJsonObject(value))
    return { kind: 'scalar', text: String(value), plain: typeof value !== 'string', value, at };
  const entries = Object.entries(value).flatMap(([key, one]): [string, MapEntry][] =>
    one === undefined ? [] : [[key, { keyAt: at, value: treeOfJson(one, at) }]],
  );
  return { kind: 'map', entries: new Map(entries), at };
}
