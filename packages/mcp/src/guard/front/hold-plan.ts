import type { ToolCall } from '../asked/index.js';

/** How a call is held while somebody decides. Times in milliseconds. */
export type HoldPlan =
  /** The caller gets a task at once and asks how it is going. */
  | { readonly kind: 'task' }
  /** The caller is kept waiting, and told how it is going at once and then every so often. */
  | { readonly kind: 'progress'; readonly every: number }
  /** The caller is kept waiting for a while, then told what to wait on. */
  | { readonly kind: 'wait'; readonly for: number };

export interface HoldTimes {
  /** Between two reports of progress. */
  readonly progressEvery: number;
  /** How long a caller without progress is kept waiting: less than the 60 s after which most give up. */
  readonly holdFor: number;
}

/** Chooses what the caller can take: a task, else progress, else a wait that ends before its patience does. */
export function planHold(
  { takesTask, progressToken }: Pick<ToolCall, 'takesTask' | 'progressToken'>,
  { progressEvery, holdFor }: HoldTimes,
): HoldPlan {
  if (takesTask) return { kind: 'task' };
  if (progressToken !== undefined) return { kind: 'progress', every: progressEvery };
  return { kind: 'wait', for: holdFor };
}
