import type { Refusal } from '@proffer/core';
import type { RecordContent } from '@proffer/core/records';
import type { StoredRecord } from '@proffer/journal';

/** The outcome of a command, reported once it is certain. */
export type Verdict<State, Content extends RecordContent> =
  /** Durable, as these records; empty if there was nothing to record. */
  | { readonly status: 'accepted'; readonly records: readonly StoredRecord<Content>[]; readonly state: State }
  /** The command makes no difference, on a durable state. */
  | { readonly status: 'unchanged'; readonly why: 'duplicate' | 'late'; readonly state: State }
  /** The command left no trace (I-5). */
  | { readonly status: 'refused'; readonly refusal: Refusal; readonly state: State }
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
