import type { Refusal } from '@proffer/core';
import type { RecordContent } from '@proffer/core/records';
import type { StoredRecord } from '@proffer/journal';

/**
 * What became of a message, told once it is certain. The same for operations and negotiations; a wire has its own names for it.
 *
 * - `accepted`: durable, as these records; none if there was nothing to record.
 * - `duplicate`: accepted before, as these records; none if they are no longer known, or nobody needs them
 *   (O-3, N-6).
 * - `late`: makes no difference any more (O-16).
 * - `refused`: left no trace (I-5).
 */
export type MessageOutcome<Content extends RecordContent> =
  | { readonly status: 'accepted' | 'duplicate'; readonly records: readonly StoredRecord<Content>[] }
  | { readonly status: 'late' }
  | { readonly status: 'refused'; readonly refusal: Refusal };

/** What became of a command to an entity, with the durable state that this is based on. */
export type EntityOutcome<State, Content extends RecordContent> =
  | (MessageOutcome<Content> & { readonly state: State })
  /** The stream has more records than the journal still holds: nothing can be decided about it. */
  | { readonly status: 'removed' };

/** The outcome could not be determined because the journal failed: nothing was decided. */
export interface Failed {
  readonly status: 'failed';
  readonly error: unknown;
}

/** Called once with the outcome of a command, perhaps synchronously. Must not throw: others wait after it. */
export type Settle<Told> = (outcome: Told | Failed) => void;

/** The argument of a {@link Settle}, as a promise; rejected if the journal could not be read. */
export function settled<Told extends { readonly status: string }>(
  begin: (settle: Settle<Told>) => void,
): Promise<Told> {
  return new Promise((resolve, reject) => {
    begin((outcome) => (isFailed(outcome) ? reject(outcome.error) : resolve(outcome)));
  });
}

/** Passes the result of a promise to a {@link Settle}. */
export function settleWith<Told>(promise: Promise<Told>, settle: Settle<Told>): void {
  promise.then(settle, (error: unknown) => settle({ status: 'failed', error }));
}

function isFailed(outcome: { readonly status: string } | Failed): outcome is Failed {
  return outcome.status === 'failed';
}
