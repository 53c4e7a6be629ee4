import { failure, type Result, refuse, success } from '@proffer/core';
import type { ListedSession, ListPage } from '../negotiation/index.js';

/** The fields of `ListSessions` that are about pages. */
interface AskedPage {
  readonly page_size: number;
  readonly page_token: string;
}

/** The longest token that is read: that of the longest session id. */
const MAX_TOKEN_LENGTH = 256;

/**
 * Which page of `ListSessions` is asked for (N-26). A token is a place in the list, and gives nobody a right: a page has
 * only what its reader may see.
 */
export function readPage({ page_size: size, page_token: token }: AskedPage): Result<ListPage> {
  if (size < 0) return refuseField('page_size', String(size), 'a number of sessions, or 0 for the default');
  const limit = size === 0 ? {} : { limit: size };
  if (token === '') return success(limit);
  const before = readToken(token);
  if (before === undefined) {
    return refuseField('page_token', 'something else', 'the next_page_token of an earlier answer');
  }
  return success({ ...limit, before });
}

/** The token for the page after this place; empty without one. */
export function writePageToken(next: ListedSession | undefined): string {
  return next === undefined ? '' : Buffer.from(`1:${next.startedAt}:${next.id}`).toString('base64url');
}

function readToken(token: string): ListedSession | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const found = /^1:(\d{1,15}):([\w-]+)$/.exec(Buffer.from(token, 'base64url').toString());
  const place = found === null ? undefined : { startedAt: Number(found[1]), id: found[2] ?? '' };
  // Decoding passes over what is not base64url.
  return writePageToken(place) === token ? place : undefined;
}

function refuseField(field: string, found: string, expected: string): Result<never> {
  const what = `${field} is ${found}; expected ${expected}.`;
  return failure(refuse('INVALID_ENVELOPE', what, { field, found, expected }));
}
