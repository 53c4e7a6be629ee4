import { sha256 } from '@proffer/core';
import { defined, type JsonValue } from '@proffer/core/json';
import { isNotifiedOrSending } from './evolve.js';
import type { DecisionLink, Ended, Outbox, OutboxMessage, OutboxSettings, Summary } from './outbox.js';
import type { OutboxEvent } from './records.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long to wait after each failure; the last is repeated. */
const WAITS = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
];

/** After this time a message is parked and shown to the operator. */
const GIVE_UP_AFTER = 24 * HOUR;

/**
 * When to retry after a failure: with growing pauses, for a day. `undefined` when it is time to give
 * up.
 *
 * @param retryAfter - the earliest time the receiver asked for, if any
 */
function nextTry({ failures, queuedAt }: OutboxMessage, now: number, retryAfter = 0): number | undefined {
  const wait = WAITS[Math.min(failures, WAITS.length - 1)] ?? HOUR;
  const next = Math.max(now + wait, retryAfter);
  return next - queuedAt > GIVE_UP_AFTER ? undefined : next;
}

/** The commands of an outbox. */
export type OutboxCommand =
  /** A proposal waits for this person. `seq` is that of the record that caused it. */
  | { readonly type: 'ask'; readonly about: Summary; readonly seq: number }
  /** A proposal ended. */
  | { readonly type: 'end'; readonly proposal: string; readonly ending: Ended; readonly seq: number }
  /** A proposal has more time. */
  | { readonly type: 'renew'; readonly proposal: string; readonly expiresAt: number; readonly seq: number }
  /** The person has approved or rejected it. */
  | { readonly type: 'leave'; readonly proposal: string; readonly seq: number }
  /** Time has passed. */
  | { readonly type: 'look' }
  /** A gateway is about to send a message, and says by when it will know the outcome. */
  | {
      readonly type: 'begin';
      readonly message: string;
      readonly by: string;
      readonly until: number;
      /** The decision link it contains. */
      readonly link?: DecisionLink;
    }
  /** Someone decided by a link. */
  | { readonly type: 'use_link'; readonly hash: string; readonly decision: 'approve' | 'reject' }
  | { readonly type: 'sent'; readonly message: string; readonly by: string; readonly receipt?: JsonValue }
  /** `final`: retrying would not help. */
  | {
      readonly type: 'failed';
      readonly message: string;
      readonly by: string;
      readonly why: string;
      readonly final: boolean;
      /** The earliest time to retry, if the receiver named one. */
      readonly retryAfter?: number;
    };

/** Decides what follows from a command; nothing if it changes nothing. */
export function decide(
  outbox: Outbox,
  command: OutboxCommand,
  { now, settings, name }: { readonly now: number; readonly settings: OutboxSettings; readonly name: string },
): readonly OutboxEvent[] {
  switch (command.type) {
    case 'ask':
      return ask(outbox, command, { now, settings, name });
    case 'end':
      return end(outbox, command, { now, settings, name });
    case 'renew': {
      const { proposal, expiresAt, seq } = command;
      if (seq <= outbox.seen || !outbox.threads.has(proposal)) return [];
      return [{ type: 'renewed', proposal, expiresAt, seen: seq }];
    }
    case 'leave': {
      const { proposal, seq } = command;
      if (seq <= outbox.seen || !outbox.threads.has(proposal)) return [];
      return [{ type: 'left', proposal, seen: seq }];
    }
    case 'look':
      return remind(outbox, { now, settings, name });
    case 'begin': {
      const message = outbox.messages.get(command.message);
      if (message === undefined || message.dueAt > now || isBeingSent(message, now)) return [];
      const { by, until, link } = command;
      return [{ type: 'begun', message: message.id, by, until, ...defined({ link }) }];
    }
    case 'use_link': {
      const { hash, decision } = command;
      const link = outbox.links.find((each) => each.hash === hash);
      return link === undefined || link.used !== undefined ? [] : [{ type: 'link_used', hash, decision }];
    }
    case 'sent': {
      const { message, receipt } = command;
      if (outbox.messages.get(message)?.attempt?.by !== command.by) return [];
      return [{ type: 'sent', message, ...defined({ receipt }) }];
    }
    case 'failed': {
      const message = outbox.messages.get(command.message);
      if (message?.attempt?.by !== command.by) return [];
      const retryAt = command.final ? undefined : nextTry(message, now, command.retryAfter);
      const { why } = command;
      if (retryAt === undefined) return [{ type: 'parked', message: message.id, why }];
      // A proposal that ended before any message about it got through needs no notification.
      const over = message.mayHaveArrived
        ? []
        : message.proposals.filter((proposal) => hasEnded(outbox, proposal));
      const dropped = over.map((proposal) => ({ type: 'dropped', proposal, seen: outbox.seen }) as const);
      return [{ type: 'failed', message: message.id, why, retryAt }, ...dropped];
    }
    default:
      return command satisfies never;
  }
}

interface Setting {
  readonly now: number;
  readonly settings: OutboxSettings;
  /** The outbox's id, unique in the journal: message ids are derived from it. */
  readonly name: string;
}

function ask(
  outbox: Outbox,
  { about, seq }: Extract<OutboxCommand, { type: 'ask' }>,
  { now, settings, name }: Setting,
): readonly OutboxEvent[] {
  if (seq <= outbox.seen || outbox.threads.has(about.proposal)) return [];
  const dueAt = dueTime(outbox, settings, now);
  const waiting =
    dueAt > now ? [...outbox.messages.values()].find((message) => isOpen(message, now)) : undefined;
  if (waiting !== undefined) return [{ type: 'joined', message: waiting.id, about, seen: seq }];
  const message = newMessage(name, { kind: 'asked', proposals: [about.proposal], dueAt, queuedAt: now });
  return [{ type: 'queued', message, about, seen: seq }];
}

function end(
  outbox: Outbox,
  { proposal, ending, seq }: Extract<OutboxCommand, { type: 'end' }>,
  { now, settings, name }: Setting,
): readonly OutboxEvent[] {
  if (seq <= outbox.seen || !outbox.threads.has(proposal)) return [];
  if (!settings.updates || !isNotifiedOrSending(outbox, proposal))
    return [{ type: 'dropped', proposal, seen: seq }];
  const message = newMessage(name, {
    kind: 'ended',
    proposals: [proposal],
    ending,
    dueAt: now,
    queuedAt: now,
  });
  return [{ type: 'ended', message, ending, seen: seq }];
}

function remind(outbox: Outbox, { now, settings, name }: Setting): readonly OutboxEvent[] {
  const { remind: before } = settings;
  if (before === undefined) return [];
  const due = [...outbox.threads.values()].filter(({ told, reminded, summary: { expiresAt } }) => {
    if (!told || reminded || expiresAt === undefined || now < expiresAt - before) return false;
    // A reminder wakes nobody, and after the end there is nothing to remind of.
    return now < expiresAt && settings.quietUntil(now) === undefined;
  });
  if (due.length === 0) return [];
  const proposals = due.map(({ summary }) => summary.proposal);
  // A renewed proposal gets another reminder, which is another message.
  const ends = due.map(({ summary }) => summary.expiresAt).join(' ');
  const message = newMessage(`${name} ${ends}`, { kind: 'reminder', proposals, dueAt: now, queuedAt: now });
  return [{ type: 'queued', message, seen: outbox.seen }];
}

/** When time alone causes the next change; `undefined` if it never will. */
export function nextMoment(outbox: Outbox, settings: OutboxSettings, now: number): number | undefined {
  const moments = [...outbox.messages.values()].map(({ dueAt, attempt }) => attempt?.until ?? dueAt);
  if (settings.remind !== undefined) {
    for (const { told, reminded, summary } of outbox.threads.values()) {
      const { expiresAt } = summary;
      if (!told || reminded || expiresAt === undefined || expiresAt <= now) continue;
      const moment = Math.max(expiresAt - settings.remind, now);
      const awake = settings.quietUntil(moment) ?? moment;
      if (awake < expiresAt) moments.push(awake);
    }
  }
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** Whether a gateway is sending it now. One that did not report in time may have died. */
export function isBeingSent({ attempt }: OutboxMessage, now: number): boolean {
  return attempt !== undefined && attempt.until > now;
}

/** Whether it ended before anyone was notified. */
function hasEnded({ messages, threads }: Outbox, proposal: string): boolean {
  if (threads.get(proposal)?.told === true) return false;
  return [...messages.values()].some(
    ({ kind, proposals }) => kind === 'ended' && proposals.includes(proposal),
  );
}

/** Whether a queued message can still include another proposal. */
function isOpen({ kind, dueAt, attempt, failures }: OutboxMessage, now: number): boolean {
  return kind === 'asked' && attempt === undefined && failures === 0 && dueAt > now;
}

/**
 * The id is derived from what the message is about: whoever makes the same decision again sends the
 * same id.
 */
function newMessage(name: string, rest: Omit<OutboxMessage, 'id' | 'failures'>): OutboxMessage {
  const id = `msg_${sha256(`${name} ${rest.kind} ${rest.proposals.join(' ')}`).slice(0, 32)}`;
  return { id, failures: 0, ...rest };
}

/**
 * When a message about something new may be sent: after the last one's digest time, and outside quiet
 * hours.
 */
function dueTime({ sentAt }: Outbox, { digest, quietUntil }: OutboxSettings, now: number): number {
  const earliest = sentAt === 0 ? now : Math.max(now, sentAt + digest);
  return quietUntil(earliest) ?? earliest;
}
