import type { JsonValue } from '@proffer/core/json';
import type { RecordContent } from '@proffer/core/records';
import type { DecisionLink, Ended, Outbox, OutboxMessage, Summary } from './outbox.js';

/** What happened in an outbox. */
export type OutboxEvent =
  /** A message was queued. `seen` is the record that caused it. */
  | {
      readonly type: 'queued';
      readonly message: OutboxMessage;
      readonly about?: Summary;
      readonly seen: number;
    }
  /** A queued message took in another proposal. */
  | { readonly type: 'joined'; readonly message: string; readonly about: Summary; readonly seen: number }
  /** A proposal has more time. */
  | { readonly type: 'renewed'; readonly proposal: string; readonly expiresAt: number; readonly seen: number }
  /** The person has decided: nothing more to ask or to remind of. */
  | { readonly type: 'left'; readonly proposal: string; readonly seen: number }
  /** A proposal ended before the person was notified, or needs no notification. */
  | { readonly type: 'dropped'; readonly proposal: string; readonly seen: number }
  | {
      readonly type: 'ended';
      readonly message: OutboxMessage;
      readonly ending: Ended;
      readonly seen: number;
    }
  | {
      readonly type: 'begun';
      readonly message: string;
      readonly by: string;
      readonly until: number;
      readonly link?: DecisionLink;
    }
  /** Someone decided by a link. */
  | { readonly type: 'link_used'; readonly hash: string; readonly decision: 'approve' | 'reject' }
  | { readonly type: 'sent'; readonly message: string; readonly receipt?: JsonValue }
  | { readonly type: 'failed'; readonly message: string; readonly why: string; readonly retryAt: number }
  | { readonly type: 'parked'; readonly message: string; readonly why: string }
  /** The whole state, so that nothing before it needs to be read. */
  | { readonly type: 'checkpoint'; readonly outbox: StoredOutbox };

/** An {@link Outbox} as JSON. */
export type StoredOutbox = {
  readonly seen: number;
  readonly sentAt: number;
  readonly threads: readonly JsonValue[];
  readonly messages: readonly JsonValue[];
  readonly parked: readonly JsonValue[];
  /** Absent in records written before links existed. */
  readonly links?: readonly JsonValue[];
};

/**
 * The journal space for notification records: it is in no space's feed, and no space can have this
 * name.
 */
export const NOTIFY_SPACE = 'system:notify';

/** The stream of one person's messages over one channel. */
export function outboxStream(space: string, participant: string, channel: string): string {
  return `${NOTIFY_SPACE}/${space}/outbox/${participant}/${channel}`;
}

/** The stream that records how far a space's feed was followed. */
export function cursorStream(space: string): string {
  return `${NOTIFY_SPACE}/${space}/cursor`;
}

const NOTIFIER = 'system:notifier';

/** @param since - the version of the last checkpoint: reading starts there */
export function outboxRecord(event: OutboxEvent, now: number, since: number): RecordContent {
  const { type, ...facts } = event;
  return {
    type: `notification_${type}`,
    time: now,
    principal: NOTIFIER,
    envelope: {},
    facts: { ...facts, since },
  };
}

/** The inverse. */
export function outboxEvent(record: RecordContent): OutboxEvent {
  const { since: _, ...facts } = record.facts ?? {};
  return { type: record.type.slice('notification_'.length), ...facts } as OutboxEvent;
}

export function cursorRecord(seq: number, now: number): RecordContent {
  return { type: 'notifier_followed', time: now, principal: NOTIFIER, envelope: {}, facts: { seq } };
}

/** @returns the whole state as JSON */
export function storeOutbox({ seen, sentAt, threads, messages, parked, links }: Outbox): StoredOutbox {
  return { seen, sentAt, threads: [...threads.values()], messages: [...messages.values()], parked, links };
}
