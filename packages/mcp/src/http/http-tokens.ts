import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A presented token, with its name, if it has one. */
export interface ShownToken {
  readonly name?: string;
}

/** `NAME:TOKEN`. HTTP tokens contain no colon (RFC 6750). */
const NAMED = /^([^:]+):(.+)$/;

/**
 * The token that a request presents, or nothing if it presents none of these. Compared as hashes, with each
 * one, so that timing reveals nothing about the tokens.
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
