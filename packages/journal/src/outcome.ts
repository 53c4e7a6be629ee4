import { type Refusal, refuse } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import { type StreamHead } from '@proffer/core/records';
import type { StoredRecord } from './stored-record.js';

/**
 * The outcome of an append. Nothing here is an exception: all three are expected in a healthy system.
 *
 * - `appended`: durable. The records carry their version, hash and `seq`.
 * - `conflict`: another append was first. `head` is the stream's current end: read it, fold, and
 *   decide again.
 * - `unavailable`: the journal could not make it durable, and it will not appear later. What was
 *   decided on top of it must be decided again.
 */
export type AppendOutcome =
  | { readonly status: 'appended'; readonly records: readonly StoredRecord[] }
  | { readonly status: 'conflict'; readonly head: StreamHead }
  | { readonly status: 'unavailable'; readonly refusal: Refusal<'unavailable'> };

/** The outcome of an append that will not become durable. */
export type Unavailable = Extract<AppendOutcome, { readonly status: 'unavailable' }>;

/** The outcome of an append that a journal cannot accept now. */
export function unavailable(what: string, details: Refusal['details'] = {}): Unavailable {
  return { status: 'unavailable', refusal: refuse('unavailable', what, details) };
}

/** The outcome of an append when the disk fails, or what is appended is no record. */
export function cannotWrite(error: unknown): Unavailable {
  const { code, message } = error as Error & { readonly code?: string };
  const details: JsonObject = code === undefined ? {} : { cause: code };
  return unavailable(`The journal could not be written: ${message}.`, details);
}
