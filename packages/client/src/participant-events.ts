import type { Lost } from './connection/exchange.js';
import type { Message } from './connection/message.js';
import type { Welcome } from './connection/welcome.js';

/** What `Participant.on` tells. */
export type ParticipantEvents = {
  /** Everything delivered, each message once, also what is not in the journal. */
  readonly message: Message;
  /** The connection is open, for the first time or again. */
  readonly welcome: Welcome;
  /** The connection was lost and is being re-established. */
  readonly disconnected: Lost;
  /**
   * One of your handlers or listeners threw, or the connection ended for good and nobody waits for `closed`. Without a
   * listener for this event, what was thrown is rethrown, unless it only says how an operation ended, as when someone
   * else was first. A refusal, or the end of the connection, without a listener is written to the console.
   */
  readonly error: unknown;
};
