import type { Clock } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { notificationOf, type RpcId } from '../../json-rpc.js';

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
