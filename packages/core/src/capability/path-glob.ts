import { compileGlob, type Glob, matchGlob } from './glob.js';
import { isPlainPath } from './path-guard.js';

/** In UTF-16 units. No system has longer paths, and text covered by a wildcard is read several times. */
const LONGEST_PATH = 8192;

/** A glob over text that may be read as a path: its wildcards cannot escape from their place. */
export interface PathGlob {
  readonly glob: Glob;
  /** Where the text must start to be plain; `undefined` if no wildcard narrows anything down. */
  readonly guardedFrom?: number;
}

/**
 * Compiles a pattern in which `*` stays between separators and `**` does not. From the segment of the
 * first wildcard to the end, a text must be a plain path ({@link isPlainPath}); only `**` alone is
 * unrestricted, since there is nothing to escape from. A guarded wildcard does not match in a text of
 * more than 8192 characters either: no path is that long, and not granting is safe.
 *
 * Returns nothing if the pattern itself is not plain there, so that it could never match.
 */
export function compilePathGlob(pattern: string, separators: string): PathGlob | undefined {
  const glob = compileGlob(pattern, separators);
  const wildcard = pattern.indexOf('*');
  if (wildcard === -1 || pattern === '**') return { glob };
  const before = pattern.slice(0, wildcard);
  const guardedFrom = Math.max(before.lastIndexOf('/'), before.lastIndexOf('\\')) + 1;
  return isPlainPath(pattern.slice(guardedFrom)) ? { glob, guardedFrom } : undefined;
}

/** True if the whole text matches the pattern, and no wildcard covers an escape. */
export function matchPathGlob({ glob, guardedFrom }: PathGlob, text: string): boolean {
  if (guardedFrom === undefined) return matchGlob(glob, text);
  return text.length <= LONGEST_PATH && matchGlob(glob, text) && isPlainPath(text.slice(guardedFrom));
}
