import { setTimeout as pause } from 'node:timers/promises';
import { CommandFailure } from '../command-failure.js';
import { EXIT } from '../exit-code.js';
import type { LoggedMessage } from '../proposals/proposal-view.js';
import type { Connection } from './connection.js';

export interface FollowOptions {
  /** `now`: nothing but what comes. */
  readonly after: number | 'now';
  readonly signal: AbortSignal;
  /** Whether the gateway has just answered: that it does not at the start means that it went away. Default false. */
  readonly hasAnswered?: boolean;
  /** Called each time the stream is open: at first, and when it is back after it broke. */
  readonly onOpen?: () => void;
  /** Called when it broke. */
  readonly onLost?: () => void;
}

/** How often a gateway that is gone is looked for, in milliseconds. */
export const RETRY_EVERY = 1000;

/**
 * Every message after a `seq`, once and in order, across restarts of the gateway (I-6). Throws when the
 * gateway cannot be reached at the start, or refuses; later it tries again until the signal ends it.
 */
export async function* follow(connection: Connection, options: FollowOptions): AsyncGenerator<LoggedMessage> {
  const { signal, onOpen, onLost } = options;
  // Known before the stream is open: what comes while it breaks off for the first time is not lost.
  let after = options.after === 'now' ? (await connection.feed('now')).seq : options.after;
  let opened = options.hasAnswered ?? false;
  while (!signal.aborted) {
    try {
      const events = await connection.events(after, signal);
      opened = true;
      onOpen?.();
      for await (const message of events) {
        if (message.seq !== undefined) after = message.seq;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      const lost = !(error instanceof CommandFailure) || error.failure.exit === EXIT.unreachable;
      if (!opened || !lost) throw error;
    }
    if (signal.aborted) return;
    onLost?.();
    await pause(RETRY_EVERY, undefined, { signal }).catch(() => undefined);
  }
}
