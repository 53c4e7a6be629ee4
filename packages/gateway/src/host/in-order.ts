import type { Append, AppendOutcome } from '@proffer/journal';
import type { DecisionInFlight } from './append-batch.js';

/** One of several appends, and its callback. */
interface Part<State> {
  readonly append: Append;
  readonly settle: DecisionInFlight<State>['settle'];
}

/**
 * Sequential appends of one decision, each only if those before it succeeded. The waiter is called once: when the last
 * succeeded, or with the first that did not.
 */
export function inOrder<State>(
  appends: readonly Append[],
  settle: DecisionInFlight<State>['settle'],
): readonly Part<State>[] {
  const outcomes: AppendOutcome[] = [];
  let isTold = false;
  return appends.map((append, index) => ({
    append,
    settle(part) {
      if (isTold) return;
      outcomes.push(...part.outcomes);
      const isAppended =
        part.outcomes.length > 0 && part.outcomes.every(({ status }) => status === 'appended');
      if (isAppended && index < appends.length - 1) return;
      isTold = true;
      // What was rolled back with others has no outcome: all of it is decided again.
      settle({ ...part, appends, outcomes: part.outcomes.length === 0 ? [] : outcomes });
    },
  }));
}
