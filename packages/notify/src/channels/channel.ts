import { readFileSync } from 'node:fs';
import type { JsonValue } from '@proffer/core/json';
import type { DecideAs, Hook } from '@proffer/gateway';
import type { NotifyRoute, ChannelSchema as ReadableType } from '@proffer/gateway/config';
import type { Field, Secret } from '@proffer/gateway/fields';
import type { Notification } from '../content/notification.js';
import type { DecisionLink } from '../outbox/outbox.js';

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

/**
 * One type of channel: its keys in the configuration, and how messages are sent over it. A new one is a file in this
 * folder and its line in `registry.ts`.
 */
export interface ChannelType<Settings extends object> extends ReadableType {
  readonly fields: Field<Settings>;
  /** Opens the channel to one person. Throws an error for the operator if a secret is missing. */
  open(settings: Settings, route: Pick<NotifyRoute, 'to' | 'token'>): Channel;
  /**
   * The hook the service calls when someone decides there; `undefined` if the settings do not enable
   * it.
   */
  hook?(settings: Settings, context: HookContext): Hook | undefined;
  /** Asks the service who decided there, where it does not call; `undefined` if the settings do not enable it. */
  poll?(settings: Settings, context: PollContext): Polling | undefined;
}

/** Ends the polling. */
export interface Polling {
  close(): Promise<void>;
}

/** What a channel that polls is given. */
export interface PollContext extends HookContext {
  /** What the buttons with this key are about; `undefined` if there are none. */
  readonly findButton: (key: string) => Promise<FoundButton | undefined>;
  readonly onFault: (error: unknown) => void;
}

/** What the buttons of a message decide. */
export interface FoundButton {
  readonly space: string;
  readonly link: DecisionLink;
  /** Whether the message showed everything that would run. */
  readonly isWhole: boolean;
}

/** What a hook is given. */
interface HookContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly decideAs: DecideAs;
  readonly clock: () => number;
}

/** Reads a secret from the configured place. Throws an error for the operator if it is missing. */
export function readSecret(secret: Secret): string {
  if ('value' in secret) return secret.value;
  if ('env' in secret) {
    const value = process.env[secret.env];
    if (value === undefined || value === '')
      throw new Error(`The environment variable ${secret.env} is not set.`);
    return value;
  }
  return readFileSync(secret.file, 'utf8').trim();
}
