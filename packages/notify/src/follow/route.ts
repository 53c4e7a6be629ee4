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
  /** Whether to notify this person of a proposal. */
  readonly wants: (asked: AskedProposal) => boolean;
}

/** A pending proposal, and who is asked. */
export interface AskedProposal {
  readonly summary: Summary;
  /** As proposed, to find out who may decide. Not stored anywhere. */
  readonly params?: JsonObject;
  /** Names and `role:…`; empty: everyone. */
  readonly addressees: readonly string[];
}
