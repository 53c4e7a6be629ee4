import { setImmediate as nextTurn } from 'node:timers/promises';
import { failure, type Result, refuse, success } from '@proffer/core';
import type { Steps } from '../history/steps.js';

/** Milliseconds that others wait at most, but for one step. */
const SLICE = 5;
/** Milliseconds of the processor that one question may take. */
const MOST_WORK = 3_000;

/** How many questions may wait for those before them. */
const MOST_WAITING = 8;

/** Runs work alongside everything else that a gateway does: one question after the other, in small slices (I-7). */
export interface Slices {
  /** Refused with `rate_limited` when too many wait, and with `too_large` when it takes too long. */
  run<Value>(steps: Steps<Value>): Promise<Result<Value>>;
}

/**
 * @param now - milliseconds that pass
 * @param worked - milliseconds that the processor has worked; on a busy machine fewer than pass
 */
export function createSlices(
  now: () => number = performance.now.bind(performance),
  worked: () => number = processorTime,
): Slices {
  let earlier: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  async function work<Value>(steps: Steps<Value>): Promise<Result<Value>> {
    let spent = 0;
    while (spent < MOST_WORK) {
      const from = now();
      const before = worked();
      do {
        const step = steps.next();
        if (step.done === true) return success(step.value);
      } while (now() - from < SLICE);
      spent += worked() - before;
      await nextTurn();
    }
    const what = `Holding the rules against the history takes longer than ${MOST_WORK / 1_000} s.`;
    return failure(refuse('too_large', `${what} The command line has the time: proffer rules test.`, {}));
  }

  return {
    async run(steps) {
      if (waiting >= MOST_WAITING) {
        const what = 'Others are trying rules at the moment.';
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
