import type { DecideAs, Hook } from '@proffer/gateway';
import type { NotifyRoute, ChannelSchema as ReadableType } from '@proffer/gateway/config';
import type { Field } from '@proffer/gateway/fields';
import type { DecisionLink } from '../outbox/outbox.js';
import type { Channel } from './channel.js';

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
export interface HookContext {
  /** The channel's name in the configuration. */
  readonly channel: string;
  readonly decideAs: DecideAs;
  readonly clock: () => number;
}
