import type { Lost } from './connection/exchange.js';
import type { Message } from './connection/message.js';
import type { Welcome } from './connection/welcome.js';

/** What `Participant.on` tells. */
export type ParticipantEvents = {
  /** Everything delivered, each message once, also what is not in the journal. */
  readonly message: Message;
  /** The connection stands, the first time or again. */
  readonly welcome: Welcome;
  /** The connection was lost and is tried again by itself. */
  readonly disconnected: Lost;
  /**
   * Something of yours threw: a handler, a listener. Without a listener for this, it is thrown by itself,
   * unless it only says how an operation ended, as when somebody else was first. A refusal that nobody
   * listens for is written to the console.
   */
  readonly error: unknown;
};
