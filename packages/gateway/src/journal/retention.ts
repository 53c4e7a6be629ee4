import { mayBeRemoved } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';

export interface RetentionOptions {
  readonly journal: Journal;
  /** How long finished streams are kept, in milliseconds. */
  readonly keepFor: number;
  readonly clock: () => number;
  /** Stores what is derived from the records and cannot be made again without them. */
  readonly settle: () => Promise<void>;
  readonly log: Pick<Logger, 'info' | 'error'>;
}

export interface Retention {
  /** Starts no more; a running one ends with the journal. */
  stop(): void;
}

const DAY = 86_400_000;

/** Removes what ended long ago from a journal in use: now, and then once a day. */
export function startRetention({ journal, keepFor, clock, log, settle }: RetentionOptions): Retention {
  const remove = async (): Promise<void> => {
    try {
      await settle();
      const before = clock() - keepFor;
      const removed = await journal.compact({ before, keep: (last) => !mayBeRemoved(last) });
      log.info(removed, 'removed ended proposals and sessions');
    } catch (error) {
      // The journal is intact all the same, and it is retried tomorrow.
      log.error({ err: error }, 'ended proposals and sessions could not be removed');
    }
  };
  void remove();
  const timer = setInterval(() => void remove(), DAY);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
