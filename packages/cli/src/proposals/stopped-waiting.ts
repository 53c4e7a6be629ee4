import { CommandFailure, EXIT } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { OLDER_HISTORY } from '../connection/connection-over.js';
import { whereOptions } from '../connection/gateway-url.js';
import { commandAbout, shellWord } from '../terminal/shell.js';

/** What ended a wait early: a timeout, the user, a gateway that went away, or one that came back with less history. */
export type WaitEnd = 'late' | 'interrupted' | 'gone' | 'restored';

/** What was awaited. */
interface Waiting {
  readonly id: string;
  /** Whether it was approved: then it cannot be taken back, and only its result was missing. */
  readonly isApproved: boolean;
}

/** The failure of a command that waited for a proposal in vain. */
export function stoppedWaiting(
  end: WaitEnd,
  { id, isApproved }: Waiting,
  { name, endpoint }: GatewayConnection,
): CommandFailure {
  const at = whereOptions(endpoint);
  const show = `${commandAbout(`${name} show`, [id], { options: at })}   # what became of it`;
  const withdraw = `${commandAbout(`${name} withdraw`, [id], { options: at })}   # take it back`;
  const next = isApproved ? [show] : [show, withdraw];
  const about = JSON.stringify(id);
  const details = { proposal: id };
  switch (end) {
    case 'late': {
      const message = isApproved
        ? `${about} is approved, but there was no result within the time given. The approval stands.`
        : `No decision on ${about} within the time given.`;
      return new CommandFailure({ exit: EXIT.timedOut, code: 'timed_out', message, details, next });
    }
    case 'interrupted': {
      const message = isApproved
        ? `No longer waiting for the result of ${about}; the approval stands.`
        : `No longer waiting for ${about}; it continues without you.`;
      return new CommandFailure({ exit: EXIT.interrupted, code: 'interrupted', message, details, next });
    }
    case 'restored': {
      const what = isApproved ? 'The approval of' : 'The proposal';
      const message = `${OLDER_HISTORY} ${what} ${about} may be gone.`;
      const again = isApproved
        ? [`${show}; if it is pending again, check what it did before you approve it`]
        : [show, 'If it is gone, propose it again.'];
      return new CommandFailure({
        exit: EXIT.unreachable,
        code: 'future_cursor',
        message,
        details,
        next: again,
      });
    }
    case 'gone': {
      const message = isApproved
        ? `The gateway is offline. The approval of ${about} is stored, but there is no result yet.`
        : `The gateway is offline. The proposal ${about} is stored, but nobody has decided yet.`;
      const { data } = endpoint;
      const offline = (folder: string): string =>
        `${commandAbout(`${name} show`, [id], { options: ` --data ${shellWord(folder)}` })}   # what is stored`;
      const back = data === undefined ? next : [offline(data), `${show}, once a guard runs again`];
      return new CommandFailure({
        exit: EXIT.unreachable,
        code: 'unreachable',
        message,
        details,
        next: back,
      });
    }
  }
}
