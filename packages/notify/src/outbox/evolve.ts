import { VersionedMap } from '@proffer/core';
import {
  type DecisionLink,
  EMPTY_OUTBOX,
  MAX_LINKS,
  MAX_PARKED,
  type Outbox,
  type OutboxMessage,
  type Parked,
  type Thread,
} from './outbox.js';
import type { OutboxEvent, StoredOutbox } from './records.js';

/** Applies one event to an outbox. */
export function evolve(outbox: Outbox, event: OutboxEvent, now: number): Outbox {
  switch (event.type) {
    case 'queued': {
      const { message, about, seen } = event;
      const { threads } = outbox;
      const reminded = message.kind === 'reminder' ? message.proposals : [];
      return {
        ...outbox,
        seen: Math.max(outbox.seen, seen),
        messages: outbox.messages.set(message.id, message),
        threads: reminded.reduce(
          (marked, proposal) => change(marked, proposal, { reminded: true }),
          about === undefined ? threads : threads.set(about.proposal, newThread(about)),
        ),
      };
    }
    case 'joined': {
      const { about, seen } = event;
      const joined = changeMessage(outbox, event.message, (message) => ({
        ...message,
        proposals: [...message.proposals, about.proposal],
      }));
      const threads = joined.threads.set(about.proposal, newThread(about));
      return { ...joined, threads, seen: Math.max(outbox.seen, seen) };
    }
    case 'renewed': {
      const { proposal, expiresAt, seen } = event;
      const summary = outbox.threads.get(proposal)?.summary;
      if (summary === undefined) return outbox;
      const changes = { summary: { ...summary, expiresAt }, reminded: false };
      return {
        ...outbox,
        threads: change(outbox.threads, proposal, changes),
        seen: Math.max(outbox.seen, seen),
      };
    }
    case 'left': {
      const seen = Math.max(outbox.seen, event.seen);
      if (outbox.threads.get(event.proposal)?.told !== true)
        return forget({ ...outbox, seen }, event.proposal);
      // The proposal's outcome is still reported.
      return { ...outbox, seen, threads: change(outbox.threads, event.proposal, { reminded: true }) };
    }
    case 'dropped':
      return forget({ ...outbox, seen: Math.max(outbox.seen, event.seen) }, event.proposal);
    case 'ended': {
      const [proposal = ''] = event.message.proposals;
      const ended = { ...outbox, seen: Math.max(outbox.seen, event.seen) };
      // The thread stays until its last message has been sent: that message is about it.
      const messages = withdrawn(ended.messages, proposal).set(event.message.id, event.message);
      return { ...ended, messages };
    }
    case 'begun': {
      const attempt = { by: event.by, until: event.until };
      const begun = changeMessage(outbox, event.message, (message) => ({
        ...message,
        ...(message.attempt === undefined ? {} : { mayHaveArrived: true }),
        attempt,
      }));
      return event.link === undefined ? begun : withLink(begun, event.link, now);
    }
    case 'link_used': {
      const used = { at: now, decision: event.decision };
      const links = outbox.links.map((link) => (link.hash === event.hash ? { ...link, used } : link));
      return { ...outbox, links };
    }
    case 'sent': {
      const message = outbox.messages.get(event.message);
      if (message === undefined) return outbox;
      // A message about several proposals is never updated; the buttons are in the first one about a
      // single proposal.
      const [only] = message.proposals.length === 1 ? message.proposals : [];
      const isFirst = only !== undefined && outbox.threads.get(only)?.receipt === undefined;
      const receipt = isFirst && event.receipt !== undefined ? { receipt: event.receipt } : {};
      const told = message.proposals.reduce(
        (threads, proposal) => change(threads, proposal, { told: true, ...receipt }),
        outbox.threads,
      );
      return done({ ...outbox, sentAt: now, threads: told }, message);
    }
    case 'failed':
      return changeMessage(outbox, event.message, (message) => {
        const { attempt: _over, ...waiting } = message;
        return { ...waiting, failures: message.failures + 1, why: event.why, dueAt: event.retryAt };
      });
    case 'parked': {
      const message = outbox.messages.get(event.message);
      if (message === undefined) return outbox;
      const parked = [{ message, why: event.why, at: now }, ...outbox.parked].slice(0, MAX_PARKED);
      return done({ ...outbox, parked }, message);
    }
    case 'checkpoint':
      return restore(event.outbox);
    default:
      return event satisfies never;
  }
}

/** How long the reason why a link no longer works is kept, in milliseconds. */
const REMEMBERED = 7 * 86_400_000;

function withLink(outbox: Outbox, link: DecisionLink, now: number): Outbox {
  const known = outbox.links.filter(({ expiresAt }) => now - expiresAt < REMEMBERED);
  return { ...outbox, links: [...known, link].slice(-MAX_LINKS) };
}

function restore(stored: StoredOutbox): Outbox {
  const threads = stored.threads as readonly Thread[];
  const messages = stored.messages as readonly OutboxMessage[];
  return {
    ...EMPTY_OUTBOX,
    seen: stored.seen,
    sentAt: stored.sentAt,
    threads: VersionedMap.of(threads.map((thread) => [thread.summary.proposal, thread])),
    messages: VersionedMap.of(messages.map((message) => [message.id, message])),
    parked: stored.parked as readonly Parked[],
    links: (stored.links ?? []) as readonly DecisionLink[],
  };
}

/** Whether the person knows of a proposal, or may soon: a message about it got through or is being sent. */
export function isNotifiedOrSending({ threads, messages }: Outbox, proposal: string): boolean {
  if (threads.get(proposal)?.told === true) return true;
  return [...messages.values()].some(
    ({ attempt, mayHaveArrived, proposals }) =>
      (attempt !== undefined || mayHaveArrived === true) && proposals.includes(proposal),
  );
}

function newThread(summary: Thread['summary']): Thread {
  return { summary, told: false, reminded: false };
}

/** Removes a message; an ended proposal is removed with the last message about it. */
function done(outbox: Outbox, message: OutboxMessage): Outbox {
  const messages = outbox.messages.delete(message.id);
  if (message.kind !== 'ended') return { ...outbox, messages };
  const threads = message.proposals.reduce((all, proposal) => all.delete(proposal), outbox.threads);
  return { ...outbox, messages, threads };
}

function forget(outbox: Outbox, proposal: string): Outbox {
  return {
    ...outbox,
    threads: outbox.threads.delete(proposal),
    messages: withdrawn(outbox.messages, proposal),
  };
}

/**
 * Removes a proposal from queued messages, and messages about nothing else. One being sent stays as
 * it is.
 */
function withdrawn(messages: Outbox['messages'], proposal: string): Outbox['messages'] {
  let left = messages;
  // Iterates over the original version: changing the newest version moves its table.
  for (const message of Array.from(messages.values())) {
    if (message.attempt !== undefined || !message.proposals.includes(proposal)) continue;
    const proposals = message.proposals.filter((other) => other !== proposal);
    left = proposals.length === 0 ? left.delete(message.id) : left.set(message.id, { ...message, proposals });
  }
  return left;
}

function changeMessage(outbox: Outbox, id: string, to: (message: OutboxMessage) => OutboxMessage): Outbox {
  const message = outbox.messages.get(id);
  return message === undefined ? outbox : { ...outbox, messages: outbox.messages.set(id, to(message)) };
}

function change(threads: Outbox['threads'], proposal: string, to: Partial<Thread>): Outbox['threads'] {
  const thread = threads.get(proposal);
  return thread === undefined ? threads : threads.set(proposal, { ...thread, ...to });
}
