import type { JsonObject } from '@proffer/core/json';

/** How asking people about a call ended. */
export type Outcome =
  | { readonly type: 'approved'; readonly by: string; readonly arguments: JsonObject }
  | { readonly type: 'rejected'; readonly reason: string }
  /** Nobody decided, and nobody can any more. */
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

/** What somebody gets who asks people. */
export interface Asked {
  readonly outcome: Outcome;
  /**
   * Says whether the agent got the answer, and why it was no yes after all. Until then whoever approved waits, and
   * afterwards the record says so.
   */
  readonly delivered: (isDelivered: boolean, insteadOfYes?: string) => void;
}
