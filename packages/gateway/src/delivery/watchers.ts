import type { StoredOperation } from './batch.js';

/** The requests that wait for news about one proposal. */
export interface Watchers {
  /** True once waits must end: the gateway is stopping. */
  readonly isOver: boolean;
  /**
   * Resolves when something about the proposal became durable, when the signal aborts, and occasionally
   * without a reason, so that the waiter re-checks its rights (I-4). Call it before reading the proposal, so
   * that nothing is missed.
   */
  next(proposal: string, signal: AbortSignal): Promise<void>;
  /** These records became durable. */
  tell(records: readonly StoredOperation[]): void;
  wakeAll(): void;
  end(): void;
}

/** Free while nobody waits, and one lookup per record otherwise. */
export function createWatchers(): Watchers {
  const waiting = new Map<string, Set<() => void>>();
  let isOver = false;

  function wake(proposal: string): void {
    const woken = waiting.get(proposal);
    waiting.delete(proposal);
    for (const go of woken ?? []) go();
  }

  function wakeAll(): void {
    for (const proposal of waiting.keys()) wake(proposal);
  }

  return {
    get isOver() {
      return isOver;
    },
    next(proposal, signal) {
      if (isOver || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const others = waiting.get(proposal) ?? new Set();
        waiting.set(proposal, others);
        const go = (): void => {
          signal.removeEventListener('abort', go);
          others.delete(go);
          if (others.size === 0 && waiting.get(proposal) === others) waiting.delete(proposal);
          resolve();
        };
        others.add(go);
        signal.addEventListener('abort', go);
      });
    },
    tell(records) {
      if (waiting.size === 0) return;
      for (const { facts } of records) if ('proposal' in facts) wake(facts.proposal);
    },
    wakeAll,
    end() {
      isOver = true;
      wakeAll();
    },
  };
}
