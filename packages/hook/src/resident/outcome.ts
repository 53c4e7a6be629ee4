import type { JsonObject } from '@proffer/core/json';

/** The result of asking people about a call. */
export type AskOutcome =
  | { readonly type: 'approved'; readonly by: string; readonly arguments: JsonObject }
  | { readonly type: 'rejected'; readonly reason: string }
  /** The agent does what it would do without a hook. */
  | { readonly type: 'left to agent' }
  /** No one decided, and no one can any more. */
  | { readonly type: 'undecided'; readonly reason: string };

/** How to ask people about a call. */
export interface AskedAbout {
  /** The time limit, in milliseconds. */
  readonly wait: number;
  /** Why they are asked. */
  readonly why: string;
  /** Whether an existing grant is an answer (O-41). */
  readonly grants: boolean;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
}

/** The result of asking people. */
export interface Asked {
  readonly outcome: AskOutcome;
  /**
   * Reports whether the agent got the answer, and if not why. The approver waits until then, and it
   * goes on record.
   */
  readonly delivered: (isDelivered: boolean, whyNot?: string) => void;
}
