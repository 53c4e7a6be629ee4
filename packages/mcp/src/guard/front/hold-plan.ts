import type { GuardedToolCall } from '../asked/index.js';

/** How a call is held during the decision. Times in milliseconds. */
export type HoldPlan =
  /** The caller gets a task at once and polls it. */
  | { readonly kind: 'task' }
  /**
   * The caller waits for a while, with progress at once and then at intervals if it asked for that; then it
   * is told how to keep waiting.
   */
  | { readonly kind: 'wait'; readonly for: number; readonly sayEvery: number };

export interface HoldTimes {
  /** The interval between progress reports. */
  readonly progressEvery: number;
  /** How long a caller is kept waiting: less than the 60 s after which most time out. */
  readonly holdFor: number;
}

/**
 * Chooses what the caller supports: a task, else a wait that ends before the caller times out. Progress does
 * not extend the wait: we cannot see whether it extends the caller's timeout, and by default it does not.
 */
export function planHold(
  { takesTask }: Pick<GuardedToolCall, 'takesTask'>,
  { progressEvery, holdFor }: HoldTimes,
): HoldPlan {
  return takesTask ? { kind: 'task' } : { kind: 'wait', for: holdFor, sayEvery: progressEvery };
}
