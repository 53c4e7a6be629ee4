import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';

const HEADER = 'Idempotency-Key';
const EXPECTED = '1 to 255 visible ASCII characters, once';

/**
 * The key of a request, with or without the quotes that the draft of the standard wants; `undefined` if it has none.
 */
export function readIdempotencyKey({ headersDistinct }: IncomingMessage): Result<string | undefined> {
  const found = headersDistinct[HEADER.toLowerCase()] ?? [];
  const [written] = found;
  if (written === undefined) return success(undefined);
  const key = /^"(.*)"$/.exec(written)?.[1] ?? written;
  if (found.length === 1 && /^[\x21-\x7e]{1,255}$/.test(key)) return success(key);
  const details = { field: HEADER, found: found.join(', '), expected: EXPECTED };
  return failure(refuse('invalid_field', `The header ${HEADER} is invalid.`, details));
}

/**
 * The message id for a key: the journal remembers ids, so a key is valid across restarts and gateways, and as
 * long as the id is (O-3). Each participant has its own keys, and nobody can take the id of another's:
 * senders cannot choose ids that begin with `system:`.
 */
export function messageIdFor(participant: string, key: string): string {
  return `system:key-${createHash('sha256').update(`${participant}\n${key}`).digest('base64url')}`;
}

/** The refusal of a key that was used for another message, worded for its sender. */
export function refuseUsedKey(key: string): Refusal {
  return refuse('id_conflict', `The ${HEADER} was used for another message.`, { field: HEADER, found: key });
}
