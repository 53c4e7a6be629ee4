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
export type Verdict<State, Content extends RecordContent> =
  | (MessageOutcome<Content> & { readonly state: State })
  /** The stream has more records than the journal still holds: nothing can be decided about it. */
  | { readonly status: 'removed' };

/** The outcome could not be determined because the journal failed: nothing was decided. */
export interface Failed {
  readonly status: 'failed';
  readonly error: unknown;
}

/** Called once with the outcome of a command, perhaps synchronously. Must not throw: others wait after it. */
export type Settle<Decided> = (verdict: Decided | Failed) => void;

/** The argument of a {@link Settle}, as a promise; rejected if the journal could not be read. */
export function settled<Decided extends { readonly status: string }>(
  begin: (settle: Settle<Decided>) => void,
): Promise<Decided> {
  return new Promise((resolve, reject) => {
    begin((verdict) => (isFailed(verdict) ? reject(verdict.error) : resolve(verdict)));
  });
}

/** Passes the result of a promise to a {@link Settle}. */
export function settleWith<Decided>(promise: Promise<Decided>, settle: Settle<Decided>): void {
  promise.then(settle, (error: unknown) => settle({ status: 'failed', error }));
}

function isFailed(verdict: { readonly status: string } | Failed): verdict is Failed {
  return verdict.status === 'failed';
}
