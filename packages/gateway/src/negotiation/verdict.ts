import type { RecordContent, Refusal } from '@proffer/core';
import type { StoredRecord } from '@proffer/journal';

/** What became of a command, told once it is certain. */
export type Verdict<State, Content extends RecordContent> =
  /** Durable, as these records; none when there was nothing to record. */
  | { readonly status: 'accepted'; readonly records: readonly StoredRecord<Content>[]; readonly state: State }
  /** It makes no difference, on a state that is durable. */
  | { readonly status: 'unchanged'; readonly why: 'duplicate' | 'late'; readonly state: State }
  /** It left no trace (I-5). */
  | { readonly status: 'refused'; readonly refusal: Refusal; readonly state: State }
  /** The stream has more records than the journal still holds: nothing can be decided about it. */
  | { readonly status: 'removed' };

/** What became of records that were decided. */
export type Landing<Content extends RecordContent> =
  | { readonly status: 'appended'; readonly records: readonly StoredRecord<Content>[] }
  | { readonly status: 'unavailable'; readonly refusal: Refusal }
  /** What it was decided on did not come about. */
  | { readonly status: 'again' };

export const AGAIN = { status: 'again' } as const;
