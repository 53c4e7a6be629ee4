import { dirname, isAbsolute, join } from 'node:path';
import { type MapTree } from '@proffer/reading';
import { findTree } from './read/tree.js';

/**
 * A path as seen from the working directory: relative to the file's folder if it is in the file, and to the working
 * directory if it is in an environment variable.
 */
export function relativeToFile(root: MapTree, file: string, key: readonly string[], value: string): string {
  const fromVariable = findTree(root, key)?.at.source.startsWith('$') ?? false;
  return isAbsolute(value) || fromVariable ? value : join(dirname(file), value);
}
