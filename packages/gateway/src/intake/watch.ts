import { isOver, nextDeadline, type Proposal } from '@proffer/core';
import { createDeadlines } from './deadlines.js';

/** Keeps an eye on proposals: when the clock changes something about one, and when one may be let go. */
export interface Watch {
  /** A proposal as it is now; absent when it is not there any more. */
  see(id: string, proposal: Proposal | undefined): void;
  /** What was due could not be done: it is due again in a moment. */
  retry(id: string): void;
  /** For good. */
  stop(): void;
}

export interface WatchOptions {
  readonly clock: () => number;
  /** For how long what is over stays in memory, in milliseconds. */
  readonly keepFor: number;
  readonly onDue: (id: string) => void;
  readonly onOver: (id: string) => void;
}

/** How often what is over is let go from memory, in milliseconds. */
const SWEEP = 10_000;

/** When to try again what the journal could not take, in milliseconds. */
const RETRY = 1_000;

export function createWatch({ clock, keepFor, onDue, onOver }: WatchOptions): Watch {
  const deadlines = createDeadlines(clock, onDue);
  // In the order in which they may be let go.
  const over = new Map<string, number>();
  const sweeper = setInterval(() => {
    const now = clock();
    for (const [id, at] of over) {
      if (at > now) break;
      over.delete(id);
      onOver(id);
    }
  }, SWEEP);
  sweeper.unref();

  return {
    see(id, proposal) {
      deadlines.set(id, proposal === undefined ? undefined : nextDeadline(proposal));
      over.delete(id);
      if (proposal !== undefined && isOver(proposal)) over.set(id, clock() + keepFor);
    },
    retry: (id) => deadlines.set(id, clock() + RETRY),
    stop() {
      clearInterval(sweeper);
      deadlines.stop();
    },
  };
}
