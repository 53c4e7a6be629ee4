import type { Clock } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { notificationOf, type RpcId } from '../../json-rpc.js';
import type { GuardedToolCall } from '../tool-call.js';

/** Reports progress to a caller, with strictly increasing values, as MCP requires. */
export interface ProgressReporter {
  /** Reports our own progress. */
  say(message: string): void;
  /** Passes on the server's messages about the call. */
  relay(params: JsonObject): void;
}

/** The step between our own progress values: so small that the server's values can follow unchanged. */
const STEP = 1e-6;

/** @param token - the caller's progress token; without it no progress is reported */
export function createProgressReporter(
  token: RpcId | undefined,
  send: (message: JsonObject) => void,
): ProgressReporter {
  let last = 0;
  const tell = (progress: number, more: JsonObject): void => {
    if (token === undefined || progress <= last) return;
    last = progress;
    send(notificationOf('notifications/progress', { ...more, progressToken: token, progress }));
  };
  return {
    say: (message) => tell(last + STEP, { message }),
    relay(params) {
      const { progress } = params;
      // The first reported value may be no greater than what was reported while waiting.
      if (typeof progress === 'number') tell(progress === 0 ? last + STEP : progress, params);
    },
  };
}

/** For a caller that did not ask for progress. */
export const NO_PROGRESS: ProgressReporter = createProgressReporter(undefined, () => {});

/** Calls back at once and then at intervals, until it is stopped. */
export function repeat(clock: Clock, every: number, callback: () => void): () => void {
  let stop: (() => void) | undefined;
  const next = (): void => {
    callback();
    stop = clock.after(every, next);
  };
  next();
  return () => stop?.();
}

/** How a call is held during the decision. Times in milliseconds. */
type HoldPlan =
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
