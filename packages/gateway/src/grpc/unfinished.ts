import type { Call } from './call.js';

/** How long a request may take until it is complete, in milliseconds. */
const LONGEST = 30_000;

/** How often it is looked for those that take too long, in milliseconds. */
const INTERVAL = 5_000;

/** Calls whose one request is not complete yet: whoever never completes it must not hold it for ever (I-7). */
export interface Unfinished {
  begin(call: Call): void;
  end(call: Call): void;
  stop(): void;
}

export function watchUnfinished(clock: () => number): Unfinished {
  // The oldest first, since none begins twice.
  const since = new Map<Call, number>();
  const timer = setInterval(() => {
    const now = clock();
    for (const [call, began] of since) {
      if (now - began < LONGEST) break;
      since.delete(call);
      call.dismiss(
        'DEADLINE_EXCEEDED',
        `The request was not complete after ${LONGEST / 1_000} seconds. Send it again, in one go.`,
      );
    }
  }, INTERVAL);
  timer.unref();
  return {
    begin: (call) => void since.set(call, clock()),
    end: (call) => void since.delete(call),
    stop: () => clearInterval(timer),
  };
}
