import type { JsonValue } from '@proffer/core/json';
import type { Notification } from '../content/notification.js';

/** How one attempt went. */
export type Delivery =
  | { readonly ok: true; readonly receipt?: JsonValue }
  | {
      readonly ok: false;
      /** In words, without secrets: the operator reads it. */
      readonly why: string;
      /** Whether trying again cannot help. */
      readonly final: boolean;
      /** The receiver wants to be left alone until then; milliseconds since 1970. */
      readonly retryAt?: number;
    };

/** A way to reach a person. */
export interface Channel {
  /** Whether a message can say, or be changed to say, how it ended. */
  readonly tellsEndings: boolean;
  /** Whether only the recipient gets it, so that a link which decides may be in it. */
  readonly isPrivate: boolean;
  /** Sends one message; settles within the signal. Never throws for what the other side does. */
  deliver(notification: Notification, signal: AbortSignal): Promise<Delivery>;
  /** Looks whether a message would get through, without sending one. Settles with what is wrong. */
  check(signal: AbortSignal): Promise<string | undefined>;
}
