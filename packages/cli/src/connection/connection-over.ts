import type { ConnectionClosedError } from '@proffer/client/participation';
import { CommandFailure, EXIT } from '../command-failure.js';

/** The refusal code for resuming after a `seq` that the space has not reached. */
const FUTURE_CURSOR = 'future_cursor';

/** What that refusal means for a command that got its `seq` from the gateway itself. */
export const OLDER_HISTORY =
  "The gateway's history is older than what this command saw; it may have been restored from a backup.";

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
      next: ['Start this command again: it begins with the history that the gateway has now.'],
    },
    reason,
  );
}
