import { randomBytes } from 'node:crypto';
import { sha256 } from '@proffer/core';

/** How long a link is valid, in milliseconds. */
export const LINK_LIFETIME = 3_600_000;

/**
 * A new key of 256 random bits, prefixed with a hint to its outbox, so that finding it takes no
 * search; the hint reveals nothing.
 *
 * @param stream - the stream of the outbox that stores it
 */
export function makeKey(stream: string): string {
  return `${placeOf(stream)}.${randomBytes(32).toString('base64url')}`;
}

/** The stored hash of a key. One round is enough: 256 random bits cannot be guessed. */
export function hashKey(key: string): string {
  return sha256(key);
}

/**
 * The stored hash of the key in a button. It is not the one of a link: whoever reads the data of a button cannot use it
 * as a link, which identifies nobody.
 */
export function hashButton(key: string): string {
  return sha256(`button ${key}`);
}

/** Whether the outbox of this stream stores a key. */
export function isOf(key: string, stream: string): boolean {
  return key.startsWith(`${placeOf(stream)}.`);
}

function placeOf(stream: string): string {
  return sha256(stream).slice(0, 16);
}
