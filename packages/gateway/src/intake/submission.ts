import { type Refusal, refuse } from '@proffer/core';
import type { AppendOutcome } from '@proffer/journal';
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

/** A message that could not be taken now, through no fault of its own. */
export function refused(what: string): Submission {
  return { status: 'refused', refusal: refuse('unavailable', what) };
}

/** A batch may be written in part: the refusal says so. Sent again, the rest is done (O-3). */
export function withParts(refusal: Refusal, outcomes: readonly AppendOutcome[]): Refusal {
  const recorded = outcomes.filter(({ status }) => status === 'appended').length;
  if (recorded === 0) return refusal;
  const parts = `${recorded} of its ${outcomes.length} parts were recorded; send it again for the rest.`;
  const message = `${refusal.message} ${parts}`;
  return { ...refusal, message, details: { ...refusal.details, recorded } };
}
