import type { Refusal } from '@proffer/core';
import type { StoredOperation } from '../delivery/batch.js';

/**
 * What became of a message, told to its sender once it is certain.
 *
 * - `accepted`: durable, as these records; the first of them holding the message is the sender's own.
 * - `duplicate`: it was accepted before, as these records; none if they are no longer known (O-3).
 * - `late`: it makes no difference any more (O-16).
 * - `refused`: it left no trace (I-5).
 */
export type Submission =
  | { readonly status: 'accepted'; readonly records: readonly StoredOperation[] }
  | { readonly status: 'duplicate'; readonly records: readonly StoredOperation[] }
  | { readonly status: 'late' }
  | { readonly status: 'refused'; readonly refusal: Refusal };

/** Told once what became of a message. */
export type Settle = (submission: Submission) => void;
