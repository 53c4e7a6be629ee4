import { createDeferred } from '../deferred.js';
import { MacpError } from './macp-error.js';
import { onAbort } from './on-abort.js';

/** A time limit. */
export interface TimeLimit {
  /** Aborted with the outer signal, and when the time is up. */
  readonly signal: AbortSignal;
  /** The awaited value, unless the time is up first: then it fails with the signal's reason. */
  race<Value>(what: Promise<Value>): Promise<Value>;
  /** Must be called in the end, whatever happened. */
  release(): void;
}

/** Limits something to a time, in milliseconds; after that it fails with `TIMED_OUT`. */
export function limitTime(outer: AbortSignal | undefined, milliseconds: number): TimeLimit {
  const controller = new AbortController();
  const { promise: lost, fail: lose } = createDeferred<never>();
  lost.catch(() => {});
  const end = (reason: unknown): void => {
    controller.abort(reason);
    lose(reason);
  };
  const follow = (): void => end(outer?.reason);
  const expire = (): void =>
    end(new MacpError('TIMED_OUT', `No answer within ${Math.round(milliseconds)} ms.`));
  const timer = setTimeout(expire, Math.min(Math.max(0, milliseconds), LONGEST));
  const waiting = onAbort(outer, follow);
  if (outer?.aborted === true) follow();
  return {
    signal: controller.signal,
    race(what) {
      what.catch(() => {});
      return Promise.race([what, lost]);
    },
    release() {
      clearTimeout(timer);
      waiting.release();
    },
  };
}

/** The longest delay a timer supports. */
const LONGEST = 2_147_483_647;
