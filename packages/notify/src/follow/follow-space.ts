import { setTimeout as delay } from 'node:timers/promises';
import { type OperationRecord, type Proposed, proposalStream } from '@proffer/core/operations';
import type { HidingOptions } from '@proffer/core/secrets';
import type { Journal, StoredRecord } from '@proffer/journal';
import { cursorRecord, cursorStream } from '../outbox/records.js';
import { askedIn, type ProposalEvent, proposalEventOf } from './events.js';
import type { NotifierOptions, RouteSubscriber } from './notifier.js';
import type { AskedProposal } from './route.js';

interface FollowOptions extends Pick<NotifierOptions, 'journal' | 'hiding' | 'clock' | 'onFault'> {
  readonly signal: AbortSignal;
}

/** How many records may be processed again after a crash. */
const SAVE_EVERY = 500;

/** How long to wait after a journal read or write failed, in milliseconds. */
const AFTER_FAULT = 1_000;

/** What happened to one proposal, at a position in the feed. */
interface Located {
  readonly event: ProposalEvent;
  readonly seq: number;
}

/**
 * Follows a space, resuming where it left off. Settles when the whole history was read: by then it is
 * known what has ended, so no one is notified about that. A failing journal is retried until the
 * signal.
 */
export async function followSpace(
  space: string,
  subscribers: readonly RouteSubscriber[],
  options: FollowOptions,
): Promise<{ readonly ended: Promise<void> }> {
  const { signal } = options;
  const cursor = await openCursor(space, options);
  const last = await catchUp(space, subscribers, { ...options, cursor });
  async function follow(): Promise<void> {
    let seq = last;
    while (!signal.aborted) {
      try {
        for await (const place of followLive(space, subscribers, { ...options, cursor, after: seq }))
          seq = place;
        await cursor.moveTo(seq);
      } catch (error) {
        options.onFault(error);
        await delay(AFTER_FAULT, undefined, { signal }).catch(() => {});
      }
    }
  }
  return { ended: follow() };
}

/** Processes what is already in the journal. */
async function catchUp(
  space: string,
  subscribers: readonly RouteSubscriber[],
  options: FollowOptions & { readonly cursor: FollowCursor },
): Promise<number> {
  const { journal, hiding, signal, cursor } = options;
  const waiting = new Map<string, Located[]>();
  let last = cursor.seq;
  for await (const record of journal.feed(space, last, { follow: false, signal })) {
    const event = proposalEventOf(space, record as StoredRecord<OperationRecord>, hiding);
    if (event !== undefined) remember(waiting, { event, seq: record.seq });
    last = record.seq;
  }
  // In feed order: an outbox accepts nothing older than what it has seen.
  const located = [...waiting.values()].flat().sort((one, other) => one.seq - other.seq);
  for (const one of located) await notifyAll(space, one, subscribers, options);
  await cursor.moveTo(last);
  return last;
}

/** Processes what happens from now on; yields the position of each processed record. */
async function* followLive(
  space: string,
  subscribers: readonly RouteSubscriber[],
  options: FollowOptions & { readonly cursor: FollowCursor; readonly after: number },
): AsyncGenerator<number> {
  const { journal, hiding, signal, cursor, after } = options;
  for await (const record of journal.feed(space, after, { signal })) {
    const event = proposalEventOf(space, record as StoredRecord<OperationRecord>, hiding);
    if (event !== undefined) await notifyAll(space, { event, seq: record.seq }, subscribers, options);
    if (record.seq - cursor.seq >= SAVE_EVERY) await cursor.moveTo(record.seq);
    yield record.seq;
  }
}

/**
 * For a proposal that ended, only the end matters: those who were notified learn of it, others are
 * not notified at all.
 */
function remember(waiting: Map<string, Located[]>, located: Located): void {
  const { event } = located;
  const proposal = event.type === 'asked' ? event.asked.summary.proposal : event.proposal;
  const before = event.type === 'ended' ? [] : (waiting.get(proposal) ?? []);
  waiting.set(proposal, [...before, located]);
}

async function notifyAll(
  space: string,
  { event, seq }: Located,
  subscribers: readonly RouteSubscriber[],
  { journal, hiding }: FollowOptions,
): Promise<void> {
  if (event.type === 'ended') {
    const { proposal, ending } = event;
    return await each(subscribers, ({ store }) => store.tell({ type: 'end', proposal, ending, seq }));
  }
  if (event.type === 'renewed') {
    const { proposal, expiresAt } = event;
    return await each(subscribers, ({ store }) => store.tell({ type: 'renew', proposal, expiresAt, seq }));
  }
  if (event.type === 'answered') {
    const { proposal, by } = event;
    const concerned = subscribers.filter(({ route }) => route.participant === by);
    return await each(concerned, ({ store }) => store.tell({ type: 'leave', proposal, seq }));
  }
  const asked = event.type === 'asked' ? event.asked : await readAsked(journal, { space, hiding, event });
  if (asked === undefined) return;
  const wanting = subscribers.filter(({ route }) => route.wants(asked));
  await each(wanting, ({ store }) => store.tell({ type: 'ask', about: asked.summary, seq }));
}

/** All at once, to wait for a slow disk only once. Only outboxes that changed are woken. */
async function each(
  subscribers: readonly RouteSubscriber[],
  tell: (subscriber: RouteSubscriber) => Promise<boolean>,
): Promise<void> {
  await Promise.all(
    subscribers.map(async (subscriber) => {
      if (await tell(subscriber)) subscriber.sender.wake();
    }),
  );
}

/** A proposal that more people are asked about than at first. */
async function readAsked(
  journal: Journal,
  {
    space,
    hiding,
    event: { proposal, to },
  }: {
    readonly space: string;
    readonly hiding: HidingOptions;
    readonly event: { readonly proposal: string; readonly to: readonly string[] };
  },
): Promise<AskedProposal | undefined> {
  for await (const record of journal.read(proposalStream(space, proposal))) {
    if (record.type !== 'proposed') return undefined;
    return { ...askedIn(space, record as StoredRecord<Proposed>, hiding), addressees: to };
  }
  return undefined;
}

/** How far a space was followed, as stored in the journal. */
interface FollowCursor {
  readonly seq: number;
  /**
   * Another gateway may have moved it, too. Which one wins does not matter, since outboxes know what they have seen.
   */
  moveTo(seq: number): Promise<void>;
}

async function openCursor(
  space: string,
  { journal, clock }: { readonly journal: Journal; readonly clock: () => number },
): Promise<FollowCursor> {
  const stream = cursorStream(space);
  const { version: last } = await journal.head(stream);
  let version = last;
  let seq = 0;
  if (last > 0) {
    for await (const record of journal.read(stream, last)) seq = Number(record.facts?.['seq'] ?? 0);
  }
  return {
    get seq() {
      return seq;
    },
    async moveTo(next) {
      if (next <= seq) return;
      const outcome = await journal.append(stream, version, [cursorRecord(next, clock())]);
      version = outcome.status === 'appended' ? version + 1 : (await journal.head(stream)).version;
      seq = next;
    },
  };
}
