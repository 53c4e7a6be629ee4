import type { JsonValue } from '../json/json.js';
import { type Glob, matchGlob } from './glob.js';
import { isPlainPath } from './path-guard.js';

/**
 * Matches a text pattern for something that forbids, where what slips through does the harm. Besides
 * what follows the pattern, it matches what cannot be told apart from it:
 *
 * - where the pattern has a separator, every text that is not a plain path ({@link isPlainPath}; one
 *   separator may stand at its beginning): `/tmp/../etc/passwd` may be what `/etc/**` forbids,
 * - arrays and objects: whoever reads them as text may find anything in them.
 */
export function matchWidely(pattern: string, glob: Glob): (found: JsonValue) => boolean {
  const isPath = /[/\\]/.test(pattern);
  return (found) => {
    if (typeof found !== 'string') return typeof found === 'object' && found !== null;
    return matchGlob(glob, found) || (isPath && MAYBE_NOT_PLAIN.test(found) && !isPlain(found));
  };
}

/** Found in every text that is not plain, and in few others: most paths need no closer look. */
const MAYBE_NOT_PLAIN = /[%\\\p{Cc}]|\/\/|(?:^|\/)[. ]/u;

function isPlain(text: string): boolean {
  return isPlainPath(text.replace(/^[/\\]/, ''));
}
