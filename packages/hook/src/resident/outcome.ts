import type { JsonObject } from '@proffer/core/json';

/** How asking people about a call ended. */
export type Outcome =
  | { readonly type: 'approved'; readonly by: string; readonly arguments: JsonObject }
  | { readonly type: 'rejected'; readonly reason: string }
  /** No one decided, and no one can any more. */
  | { readonly type: 'undecided'; readonly reason: string };

/** How people are to be asked about a call. */
export interface AskedAbout {
  /** How long, in milliseconds. */
  readonly wait: number;
  /** Why they are asked. */
  readonly why: string;
  /** Whether what they granted is an answer (O-41). */
  readonly grants: boolean;
  /** Aborted when the agent no longer waits. */
  readonly signal: AbortSignal;
}

/** The result of asking people. */
export interface Asked {
  readonly outcome: Outcome;
  /**
   * Reports whether the agent got the answer, and why it was not a yes after all. The approver waits until then, and
   * the record says so.
   */
  readonly delivered: (isDelivered: boolean, insteadOfYes?: string) => void;
}
