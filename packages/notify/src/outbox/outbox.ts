import { VersionedMap } from '@proffer/core';
import { type JsonValue } from '@proffer/core/json';
import type { ProposalEnding, ShownVersion } from '@proffer/core/operations';

/** What a notification says about a proposal. Redacted fields are already removed. */
export type Summary = {
  readonly proposal: string;
  readonly space: string;
  readonly proposer: string;
  readonly method: string;
  /** The tool, prompt or resource, if there is one. */
  readonly subject?: string;
  /** The arguments as shown: with invisible characters made visible, shortened, redacted. */
  readonly shown: readonly { readonly name: string; readonly text: string }[];
  /** Whether that is literally everything that would run. */
  readonly isWhole: boolean;
  /** The digest of what was proposed: a decision made from the notification is for exactly this. */
  readonly digest: string;
  /** How many approvals it needs, if more than one. */
  readonly approvals?: number;
  /** Milliseconds since 1970. */
  readonly proposedAt: number;
  readonly expiresAt?: number;
};

/** How a proposal ended, as far as one record says. */
export type Ended = {
  readonly ended: 'fulfilled' | 'withdrawn' | 'expired' | 'declined';
  /** Who decided; absent if time or silence did. */
  readonly by?: string;
  readonly reason?: string;
  /** Why it was declined (O-45); absent in records of older versions. */
  readonly why?: ProposalEnding;
};

/**
 * One message to one person over one channel. `asked` and `reminder` name the pending proposals;
 * `ended` reports the outcome of one that was asked about.
 */
export type OutboxMessage = {
  /** An id that is equal on every attempt, so that receivers can detect a repeat. */
  readonly id: string;
  readonly kind: 'asked' | 'reminder' | 'ended';
  readonly proposals: readonly string[];
  readonly ending?: Ended;
  /** The earliest time to send it; milliseconds since 1970. */
  readonly dueAt: number;
  /** Failed attempts so far. */
  readonly failures: number;
  /** The last error. */
  readonly why?: string;
  readonly queuedAt: number;
  /** Who is sending it, and until when no one else may try. */
  readonly attempt?: { readonly by: string; readonly until: number };
  /** An earlier attempt never reported its outcome: the sender may have died after the receiver accepted it. */
  readonly mayHaveArrived?: true;
};

/** An open proposal that the person was or will be notified of. */
export type Thread = {
  readonly summary: Summary;
  /** Whether a message about it got through. */
  readonly told: boolean;
  readonly reminded: boolean;
  /** What the channel returned for the first message, if later ones can refer to it. */
  readonly receipt?: JsonValue;
};

/** A message that could not be delivered. */
export type Parked = { readonly message: OutboxMessage; readonly why: string; readonly at: number };

/** A link that decides one proposal for one person. Only the hash of its secret is stored. */
export type DecisionLink = {
  readonly hash: string;
  readonly proposal: string;
  /** The digest of what the person was shown: the link is for exactly this. */
  readonly digest: string;
  /** Who would run it, and what they announced, when it was sent; absent if nobody could, and in old records. */
  readonly seen?: ShownVersion;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly used?: { readonly at: number; readonly decision: 'approve' | 'reject' };
};

/** Everything about one person and one channel in one space. */
export interface Outbox {
  /** The last `seq` of the space that was applied. */
  readonly seen: number;
  /** When the last message was sent; 0 if none was. */
  readonly sentAt: number;
  readonly threads: VersionedMap<Thread>;
  /** Messages to be sent, oldest first. */
  readonly messages: VersionedMap<OutboxMessage>;
  /** The newest failures, at most {@link MAX_PARKED}. */
  readonly parked: readonly Parked[];
  /** Sent links, oldest first: those still valid, and for a while those no longer valid. */
  readonly links: readonly DecisionLink[];
}

export const MAX_PARKED = 100;

/** Beyond this many links per person and channel, the oldest are forgotten. */
export const MAX_LINKS = 500;

export const EMPTY_OUTBOX: Outbox = {
  seen: 0,
  sentAt: 0,
  threads: VersionedMap.empty(),
  messages: VersionedMap.empty(),
  parked: [],
  links: [],
};

/** When and how to notify this person. Durations in milliseconds. */
export interface OutboxSettings {
  /** At most one message in this time; what arrives in between is combined. 0: each separately. */
  readonly digest: number;
  /** How long before a proposal expires to send a reminder, if it is still pending; absent: never. */
  readonly remind?: number;
  /** The end of the quiet hours that contain a moment; `undefined` if none do. */
  readonly quietUntil: (time: number) => number | undefined;
  /** Whether to report the outcome. */
  readonly updates: boolean;
}
