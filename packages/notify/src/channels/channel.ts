import type { JsonValue } from '@proffer/core/json';
import type { Notification } from '../content/notification.js';

/** How one attempt went. */
export type Delivery =
  | { readonly ok: true; readonly receipt?: JsonValue }
  | {
      readonly ok: false;
      /** For the operator, without secrets. */
      readonly why: string;
      /** Whether retrying cannot help. */
      readonly final: boolean;
      /** The receiver asked for no messages until then; milliseconds since 1970. */
      readonly retryAt?: number;
    };

/** A way to reach a person. */
export interface Channel {
  /** Whether a message can report the outcome, or be updated with it. */
  readonly reportsOutcomes: boolean;
  /** Whether only the recipient gets it, so that it may contain a decision link. */
  readonly isPrivate: boolean;
  /** Whether its messages have buttons that come back with a key, and with who pressed them. */
  readonly hasButtons?: boolean;
  /** Sends one message; settles within the signal. Never throws for anything the other side does. */
  deliver(notification: Notification, signal: AbortSignal): Promise<Delivery>;
  /** Checks whether a message would get through, without sending one. Settles with the problem, if any. */
  check(signal: AbortSignal): Promise<string | undefined>;
}
