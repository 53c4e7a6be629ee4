import type { Refusal } from '../../refusal/refusal.js';
import type { OperationRecord } from '../records.js';
import type { RememberedMessage } from './recent-ids.js';

/** Records to append to one stream, if it still has the version that was decided on. */
export interface StreamAppend {
  readonly stream: string;
  readonly expectedVersion: number;
  readonly records: readonly OperationRecord[];
}

/**
 * The decision about one proposal that a batch names (O-35): refused, without effect, or neither if it is among the
 * appends.
 */
export interface BatchPart {
  /** Of its message. */
  readonly id: string;
  readonly proposal: string;
  readonly refused?: Refusal;
  readonly unchanged?: 'duplicate' | 'late';
}

/**
 * The result of a message in a space: like {@link Decision}, with the stream of each record. A batch touches several
 * streams; each append succeeds or fails on its own. A duplicate comes with the records that it repeats, if they are
 * still remembered: for a batch, one for each part that had an effect. The decision about a batch has its parts, unless
 * something must be recorded first.
 */
export type SpaceDecision = { readonly parts?: readonly BatchPart[] } & (
  | {
      readonly appends: readonly StreamAppend[];
      /** True if each append counts only if those before it do. By default they are independent. */
      readonly inOrder?: true;
      readonly unchanged?: never;
      readonly originals?: never;
      readonly refused?: never;
      readonly dueAppends?: never;
    }
  | {
      readonly unchanged: 'duplicate' | 'late';
      readonly originals?: readonly RememberedMessage[];
      /** What must be recorded before this counts; then it is decided again. */
      readonly dueAppends?: readonly StreamAppend[];
      readonly inOrder?: never;
      readonly appends?: never;
      readonly refused?: never;
    }
  | {
      readonly refused: Refusal;
      readonly dueAppends?: readonly StreamAppend[];
      readonly inOrder?: never;
      readonly appends?: never;
      readonly unchanged?: never;
      readonly originals?: never;
    }
);
