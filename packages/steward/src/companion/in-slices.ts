import { setImmediate as nextTurn } from 'node:timers/promises';
import { failure, type Result, refuse, success } from '@proffer/core';
import type { Steps } from '../history/steps.js';

/** Milliseconds that others wait at most, except for a single long step. */
const SLICE = 5;
/** Milliseconds of processor time that one question may take. */
const MAX_WORK = 3_000;

/** How many questions may be queued. */
const MAX_WAITING = 8;

/**
 * Runs work alongside everything else a gateway does: one question after another, in small slices
 * (I-7).
 */
export interface Slices {
  /** Refuses with `rate_limited` if the queue is full, and with `too_large` if it takes too long. */
  run<Value>(steps: Steps<Value>): Promise<Result<Value>>;
}

/**
 * @param now - wall-clock milliseconds
 * @param worked - milliseconds of processor time; on a busy machine less than wall-clock time
 */
export function createSlices(
  now: () => number = performance.now.bind(performance),
  worked: () => number = processorTime,
): Slices {
  let earlier: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function work<Value>(steps: Steps<Value>): Promise<Result<Value>> {
    let spent = 0;
    while (spent < MAX_WORK) {
      const from = now();
      const before = worked();
      do {
        const step = steps.next();
        if (step.done === true) return success(step.value);
      } while (now() - from < SLICE);
      spent += worked() - before;
      await nextTurn();
    }
    const what = `Testing the rules against the history takes longer than ${MAX_WORK / 1_000} s.`;
    return failure(refuse('too_large', `${what} Use the command line instead: proffer rules test.`, {}));
  }

  return {
    async run(steps) {
      if (waiting >= MAX_WAITING) {
        const what = 'Other people are trying rules at the moment. Try again shortly.';
        return failure(refuse('rate_limited', what, { retry_after_ms: 1_000 }));
      }
      waiting += 1;
      const mine = earlier.then(() => work(steps));
      earlier = mine.catch(() => undefined);
      return await mine.finally(() => {
        waiting -= 1;
      });
    },
  };
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
