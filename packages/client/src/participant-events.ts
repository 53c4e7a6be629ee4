import type { Lost } from './connection/exchange.js';
import type { Message } from './connection/message.js';
import type { Welcome } from './connection/welcome.js';

/** The events of `Participant.on`. */
export type ParticipantEvents = {
  /** Everything delivered, each message once, including those outside the journal. */
  readonly message: Message;
  /** The connection is open, for the first time or again. */
  readonly welcome: Welcome;
  /** The connection was lost and is being re-established. */
  readonly disconnected: Lost;
  /**
   * One of your handlers or listeners threw, or the connection ended for good and nobody awaits
   * `closed`. Without a listener for this event, the error is rethrown, unless it only reports how an
   * operation ended, for example that someone else was first. A refusal, or the end of the connection,
   * without a listener is written to the console; after the latter the program exits with 1, unless it
   * sets another exit code.
   */
  readonly error: unknown;
};
