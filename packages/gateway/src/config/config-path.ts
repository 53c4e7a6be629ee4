import { dirname, isAbsolute, join } from 'node:path';
import { type MapTree } from '@proffer/reading';
import { findTree } from './read/tree.js';

/**
 * A path as seen from the working directory: one that stands in the file starts from the file's
 * folder, one from an environment variable from the working directory.
 */
export function besideFile(root: MapTree, file: string, key: readonly string[], value: string): string {
  const fromVariable = findTree(root, key)?.at.source.startsWith('$') ?? false;
  return isAbsolute(value) || fromVariable ? value : join(dirname(file), value);
}
