import type { JsonObject } from '@proffer/core/json';
import type { Channel } from '../channels/channel.js';
import type { OutboxSettings, Summary } from '../outbox/outbox.js';

/** One person, one space, one channel. */
export interface ChannelRoute {
  readonly space: string;
  readonly participant: string;
  /** The channel's name in the configuration. */
  readonly channelName: string;
  readonly channel: Channel;
  readonly settings: OutboxSettings;
  /** Whether this person is to hear of a proposal. */
  readonly wants: (asked: Asked) => boolean;
}

/** A proposal that waits, and for whom. */
export interface Asked {
  readonly summary: Summary;
  /** As they were proposed, to find out who may decide. They are kept nowhere. */
  readonly params?: JsonObject;
  /** Names and `role:…`; empty: for everybody. */
  readonly addressees: readonly string[];
}
