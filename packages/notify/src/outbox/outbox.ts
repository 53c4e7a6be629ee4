import { VersionedMap } from '@proffer/core';
import { type JsonValue } from '@proffer/core/json';

/** What a notification says about a proposal. Fields that the operator redacts are gone already. */
export type Summary = {
  readonly proposal: string;
  readonly space: string;
  readonly proposer: string;
  readonly method: string;
  /** The tool, prompt or resource, where there is one. */
  readonly subject?: string;
  /** The arguments as they are shown: made visible, shortened, without what is redacted. */
  readonly shown: readonly { readonly name: string; readonly text: string }[];
  /** Whether that is all that would run, word for word. */
  readonly isWhole: boolean;
  /** Of what was proposed: a decision made from the notification is for exactly this. */
  readonly digest: string;
  /** How many approvals it needs, where one is not enough. */
  readonly approvals?: number;
  /** Milliseconds since 1970. */
  readonly proposedAt: number;
  readonly expiresAt?: number;
};

/** How a proposal ended. */
export type Ending = {
  readonly ended: 'fulfilled' | 'withdrawn' | 'expired' | 'declined';
  /** Who decided; absent if it expired. */
  readonly by?: string;
  readonly reason?: string;
};

/**
 * One message to one person over one channel. `asked` and `reminder` name the proposals that wait;
 * `ended` says how one that was asked about ended.
 */
export type OutboxMessage = {
  /** The same on every attempt, so that a receiver can tell a repeat. */
  readonly id: string;
  readonly kind: 'asked' | 'reminder' | 'ended';
  readonly proposals: readonly string[];
  readonly ending?: Ending;
  /** Not to be sent before; milliseconds since 1970. */
  readonly dueAt: number;
  /** Attempts that failed so far. */
  readonly failures: number;
  /** Why the last of them did. */
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
  /** What the channel gave back for the first message, where later ones can refer to it. */
  readonly receipt?: JsonValue;
};

/** A message that could not be delivered. */
export type Parked = { readonly message: OutboxMessage; readonly why: string; readonly at: number };

/** A link that decides one proposal for one person. Its secret is known by its hash alone. */
export type DecisionLink = {
  readonly hash: string;
  readonly proposal: string;
  /** The digest of what the person was shown: the link is for exactly this. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly used?: { readonly at: number; readonly decision: 'approve' | 'reject' };
};

/** Everything about one person and one channel in one space. */
export interface Outbox {
  /** The last `seq` of the space whose effect is in here. */
  readonly seen: number;
  /** When the last message left; 0 if none did. */
  readonly sentAt: number;
  readonly threads: VersionedMap<Thread>;
  /** Messages to be sent, oldest first. */
  readonly messages: VersionedMap<OutboxMessage>;
  /** The newest failures, at most {@link MOST_PARKED}. */
  readonly parked: readonly Parked[];
  /** Links that went out, oldest first: those that work, and for a while those that did. */
  readonly links: readonly DecisionLink[];
}

export const MOST_PARKED = 100;

/** More links of one person over one channel are forgotten, the oldest first. */
export const MOST_LINKS = 500;

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
  /** How long before a proposal expires to remind, if it still waits; absent: never. */
  readonly remind?: number;
  /** The end of the quiet hours that a moment falls into; `undefined` when it falls into none. */
  readonly quietUntil: (time: number) => number | undefined;
  /** Whether to report how it ended. */
  readonly updates: boolean;
}
