import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A token that was shown: with its name, if it has one. */
export interface ShownToken {
  readonly name?: string;
}

/** `NAME:TOKEN`. No token of HTTP has a colon in it (RFC 6750). */
const NAMED = /^([^:]+):(.+)$/;

/**
 * The token that a request shows, or nothing if it shows none of these. Compared as hashes, and with each, so that the time
 * it takes says nothing about the tokens.
 *
 * @param tokens - each a token, or `NAME:TOKEN`
 */
export function shownToken(
  { headers }: Pick<IncomingMessage, 'headers'>,
  tokens: readonly string[],
): ShownToken | undefined {
  const shown = hash(headers.authorization ?? '');
  const [found] = tokens.flatMap((text): readonly ShownToken[] => {
    const [, name, token = text] = NAMED.exec(text) ?? [];
    if (!timingSafeEqual(shown, hash(`Bearer ${token}`))) return [];
    return [name === undefined ? {} : { name }];
  });
  return found;
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
