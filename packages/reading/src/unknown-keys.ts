import { formatPath, quote } from '@proffer/core/json';
import { listed } from './listed.js';
import { nearest } from './nearest.js';
import type { Report } from './problem.js';
import type { MapTree } from './tree.js';

/** The keys (and places in lists) that lead to a value. */
export type Path = readonly (string | number)[];

/**
 * Reports every key that a section does not have, with the nearest one that it has.
 *
 * @param known - the keys that it has, and what the whole file is, to begin a sentence with
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
    const message = `There is no key ${quote(key)}. ${where} has ${listed(keys)}.`;
    report(keyAt, formatPath([...path, key]), message, nearest(key, keys));
  }
}
