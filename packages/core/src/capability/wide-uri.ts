import { isDoubtfulPath } from './wide-text.js';

const URI = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)/i;

/**
 * An authority that some parsers take for another one: with a user, a port, an encoded character or a
 * final dot.
 */
const DOUBTFUL_AUTHORITY = /[@:%\\]|\.$/;

/**
 * Decides which texts may lead to what a pattern restricts although they do not match it ({@link
 * isDoubtfulPath}). The two slashes of a URI are not an empty path segment, so what follows them is
 * judged, and another scheme is something else.
 */
export function doubtFor(pattern: string): (found: string) => boolean {
  const scheme = URI.exec(pattern)?.[1]?.toLowerCase();
  if (scheme === undefined) return isDoubtfulPath;
  return (found) => {
    const [start, other, authority = ''] = URI.exec(found) ?? [];
    if (start === undefined) return isDoubtfulPath(found);
    if (other?.toLowerCase() !== scheme) return false;
    return DOUBTFUL_AUTHORITY.test(authority) || isDoubtfulPath(found.slice(start.length));
  };
}
