import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionClosedError } from '@proffer/client/participation';
import { CommandFailure, EXIT } from '../command-failure.js';
import type { LoggedMessage } from '../proposals/proposal-view.js';
import type { GatewayConnection } from './connection.js';

interface FollowOptions {
  /** `now`: only new messages. */
  readonly after: number | 'now';
  readonly signal: AbortSignal;
  /**
   * Whether the gateway has just answered: a failure at the start then means that it went away. Default:
   * false.
   */
  readonly hasAnswered?: boolean;
  /** Called each time the stream opens: at first, and after it was re-established. */
  readonly onOpen?: () => void;
  /** Called when the stream breaks. */
  readonly onLost?: () => void;
}

/** The interval between attempts to reconnect, in milliseconds. */
export const RETRY_EVERY = 1000;

/** Whether the gateway is away: it cannot be reached, or has just started and is not ready. */
export function isAway(error: unknown): error is CommandFailure {
  if (!(error instanceof CommandFailure)) return false;
  const { exit, code } = error.failure;
  return exit === EXIT.unreachable || code === 'unavailable';
}

/**
 * Every message after a `seq`, once and in order, across restarts of the gateway (I-6). Throws if the gateway
 * is unreachable at the start, or refuses; later it retries until the signal ends it.
 */
export async function* follow(
  connection: GatewayConnection,
  options: FollowOptions,
): AsyncGenerator<LoggedMessage> {
  const { signal, onOpen, onLost } = options;
  // Set before the stream opens, so that nothing is lost if it breaks at once.
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
      if (!opened || (error instanceof CommandFailure && !isAway(error))) throw error;
    }
    if (signal.aborted) return;
    onLost?.();
    await pause(RETRY_EVERY, undefined, { signal }).catch(() => undefined);
  }
}

/** The refusal code for resuming after a `seq` that the space has not reached. */
const FUTURE_CURSOR = 'future_cursor';

/** What that refusal means for a command that got its `seq` from the gateway itself. */
export const OLDER_HISTORY =
  "The gateway's history is older than the one that this command has seen; it may have been restored from a backup.";

/** Whether a gateway that was restored, or lost history, refuses to resume a command's stream. */
export function isOlderHistory(error: unknown): error is CommandFailure {
  return error instanceof CommandFailure && error.failure.code === FUTURE_CURSOR;
}

/** The failure of a command whose connection ended unexpectedly. */
export function connectionOver(reason: ConnectionClosedError): CommandFailure {
  const { code, message } = reason;
  if (code !== FUTURE_CURSOR)
    return new CommandFailure({ exit: EXIT.unreachable, code: 'unreachable', message }, reason);
  return new CommandFailure(
    {
      exit: EXIT.unreachable,
      code,
      message: OLDER_HISTORY,
      next: ["Run this command again to continue with the gateway's current history."],
    },
    reason,
  );
}
