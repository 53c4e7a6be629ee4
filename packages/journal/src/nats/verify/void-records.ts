import type { JetStreamManager } from '@nats-io/jetstream';
import type { Entry } from '../authenticity/authentic-message.js';
import type { MessageHead, ReadMessage } from '../messages/message.js';
import type { Past } from '../read/history.js';
import { Chain } from './chain.js';

export interface VoidRecordsOptions {
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly past: Past;
}

/**
 * Records that the server accepted although another was first in their stream. They are void and are deleted, so that
 * later readers do not find them. Every gateway that sees one does that.
 */
export class VoidRecords {
  readonly #options: VoidRecordsOptions;
  readonly #seqs = new Set<number>();

  constructor(options: VoidRecordsOptions) {
    this.#options = options;
  }

  has(seq: number): boolean {
    return this.#seqs.size > 0 && this.#seqs.has(seq);
  }

  add(message: ReadMessage): void {
    this.#seqs.add(message.seq);
    // If this fails, another gateway does it, or `verify` reports it.
    void this.remove(message).catch(() => undefined);
  }

  /**
   * Deletes void records in a message's stream. Only with the valid record at hand: nothing is deleted
   * based on memory alone. The last goes first, so that the proof for the earlier ones stays.
   */
  async remove({ subject }: Pick<ReadMessage, 'subject'>): Promise<void> {
    const { manager, stream, past } = this.#options;
    const { voids } = await walk(past, subject);
    // Another gateway may have deleted it.
    for (const { seq } of voids.toReversed())
      await manager.streams.deleteMessage(stream, seq, false).catch(() => false);
  }
}

/** Walks a whole stream: its void records, and its end without them. */
async function walk(
  past: Past,
  subject: string,
): Promise<{ readonly voids: readonly Entry[]; readonly end: MessageHead }> {
  const chain = new Chain();
  const voids: Entry[] = [];
  for (let after = 0; after !== Number.POSITIVE_INFINITY; ) {
    const { messages, upTo } = await past.after(subject, after);
    for (const entry of messages) if (chain.take(entry) === 'void') voids.push(entry);
    after = upTo;
  }
  return { voids, end: chain.end };
}

/** How many of the last messages are examined when a journal is opened: some minutes' worth under load. */
const RECENT = 5_000;

/** The first sequence that {@link findRecentVoids} examines. */
export const recentFrom = (last: number): number => Math.max(0, last - RECENT);

/**
 * Finds void records that were not deleted yet: the gateway that wrote or saw one may have been
 * killed. Returns each with the end of its stream without it. The first examined message of a stream
 * may itself be void, so a suspicious stream is read from its beginning.
 */
export async function findRecentVoids(
  past: Past,
  { subject, after, last }: { readonly subject: string; readonly after: number; readonly last: number },
): Promise<readonly { readonly message: ReadMessage; readonly end: MessageHead }[]> {
  const chains = new Map<string, Chain>();
  const doubtful = new Set<string>();
  for (let from = after; from < last; ) {
    const { messages, upTo } = await past.after(subject, from);
    for (const entry of messages) {
      const { subject: stream, head } = entry;
      const chain = chains.get(stream);
      if (chain === undefined) chains.set(stream, new Chain(head));
      else if (chain.take(entry) === 'void') doubtful.add(stream);
    }
    from = upTo;
  }
  const found: { message: ReadMessage; end: MessageHead }[] = [];
  for (const stream of doubtful) {
    const { voids, end } = await walk(past, stream);
    found.push(...voids.map((message) => ({ message, end })));
  }
  return found;
}
