import { formatPath, quote } from '@proffer/core/json';
import { listed } from './listed.js';
import { nearest } from './nearest.js';
import type { Report } from './problem.js';
import type { MapTree } from './tree.js';

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
