import type { OperationRecord, Proposed } from '@proffer/core';
import { proposalStream } from '@proffer/core';
import type { Journal, StoredRecord } from '@proffer/journal';
import { cursorRecord, cursorStream } from '../outbox/records.js';
import { askedIn, type Happening, happeningOf } from './events.js';
import type { NotifierOptions, Subscriber } from './notifier.js';

interface FollowOptions extends Pick<NotifierOptions, 'journal' | 'redacted' | 'clock' | 'onFault'> {
  readonly signal: AbortSignal;
}

/** How many records may be followed again after a crash. */
const SAVE_EVERY = 500;

/**
 * Follows a space from where it was followed before. Settles when all history was taken in: what ended meanwhile is
 * known by then, so nobody is told of it.
 */
export async function followSpace(
  space: string,
  subscribers: readonly Subscriber[],
  options: FollowOptions,
): Promise<{ readonly ended: Promise<void> }> {
  const { journal, redacted, signal } = options;
  const cursor = await openCursor(space, options);
  const waiting = new Map<string, Located>();
  let last = cursor.seq;
  for await (const record of journal.feed(space, last, { follow: false, signal })) {
    const happening = happeningOf(space, record as StoredRecord<OperationRecord>, redacted);
    if (happening !== undefined) remember(waiting, happening, record.seq);
    last = record.seq;
  }
  const tell = (located: Located) => tellAll(space, located, subscribers, options);
  for (const located of waiting.values()) await tell(located);
  await cursor.moveTo(last);

  async function follow(): Promise<void> {
    for await (const record of journal.feed(space, last, { signal })) {
      const happening = happeningOf(space, record as StoredRecord<OperationRecord>, redacted);
      if (happening !== undefined) await tell({ happening, seq: record.seq });
      if (record.seq - cursor.seq >= SAVE_EVERY) await cursor.moveTo(record.seq);
      last = record.seq;
    }
    await cursor.moveTo(last);
  }
  return { ended: follow().catch(options.onFault) };
}

interface Located {
  readonly happening: Happening;
  readonly seq: number;
}

/** Keeps what still matters of each proposal: that it waits, or how it ended. */
function remember(waiting: Map<string, Located>, happening: Happening, seq: number): void {
  const proposal = happening.type === 'asked' ? happening.asked.summary.proposal : happening.proposal;
  // Those who were told before it ended hear of the end; others do not hear of it at all.
  if (happening.type === 'opened' && waiting.get(proposal)?.happening.type === 'asked') {
    const before = waiting.get(proposal)?.happening;
    if (before?.type === 'asked') {
      waiting.set(proposal, {
        happening: { type: 'asked', asked: { ...before.asked, addressees: [] } },
        seq,
      });
    }
    return;
  }
  waiting.set(proposal, { happening, seq });
}

async function tellAll(
  space: string,
  { happening, seq }: Located,
  subscribers: readonly Subscriber[],
  { journal, redacted }: FollowOptions,
): Promise<void> {
  if (happening.type === 'ended') {
    const { proposal, ending } = happening;
    await each(subscribers, ({ store }) => store.tell({ type: 'end', proposal, ending, seq }));
    return;
  }
  const asked =
    happening.type === 'asked'
      ? happening.asked
      : await readAsked(journal, space, happening.proposal, redacted);
  if (asked === undefined) return;
  const wanting = subscribers.filter(({ route }) => route.wants(asked));
  await each(wanting, ({ store }) => store.tell({ type: 'ask', about: asked.summary, seq }));
}

/** All at once: a slow disk is waited for once. Only those wake for whom something changed. */
async function each(
  subscribers: readonly Subscriber[],
  tell: (subscriber: Subscriber) => Promise<boolean>,
): Promise<void> {
  await Promise.all(
    subscribers.map(async (subscriber) => {
      if (await tell(subscriber)) subscriber.sender.wake();
    }),
  );
}

/** A proposal whose reserved time is over, as something that everybody is asked. */
async function readAsked(journal: Journal, space: string, proposal: string, redacted: readonly string[]) {
  for await (const record of journal.read(proposalStream(space, proposal))) {
    if (record.type !== 'proposed') return undefined;
    return { ...askedIn(space, record as StoredRecord<Proposed>, redacted), addressees: [] };
  }
  return undefined;
}

/** How far a space was followed, as the journal knows it. */
async function openCursor(space: string, { journal, clock }: FollowOptions) {
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
    /** Another gateway may have moved it too; whose stands is all the same, since outboxes know what they have seen. */
    async moveTo(next: number) {
      if (next <= seq) return;
      const outcome = await journal.append(stream, version, [cursorRecord(next, clock())]);
      version = outcome.status === 'appended' ? version + 1 : (await journal.head(stream)).version;
      seq = next;
    },
  };
}
