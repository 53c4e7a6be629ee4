import type { JetStreamManager } from '@nats-io/jetstream';
import type { Past } from './history.js';
import { headOfMessage, type MessageHead, type ReadMessage } from './message.js';

export interface VoidRecordsOptions {
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly past: Past;
}

/**
 * Records that the server let in although another was first in their stream. They count for nobody, and are deleted, so
 * that whoever opens the journal later does not meet them. Every gateway that sees one does that.
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
    // If it fails, another gateway does it, or `verify` reports it.
    void this.#remove(message).catch(() => undefined);
  }

  /** Only with the record in sight that was first: nothing is deleted because of what is merely remembered. */
  async #remove({ subject, seq }: ReadMessage): Promise<void> {
    const { manager, stream, past } = this.#options;
    const versions = new Map<number, number>();
    for (let after = 0; after < seq; ) {
      const { messages, upTo } = await past.after(subject, after);
      for (const message of messages) {
        const head = headOfMessage(message);
        if (head === undefined || message.seq > seq) continue;
        const isSecond = (versions.get(head.version) ?? message.seq) < message.seq;
        if (message.seq === seq && isSecond) await manager.streams.deleteMessage(stream, seq, false);
        else if (!versions.has(head.version)) versions.set(head.version, message.seq);
      }
      after = upTo;
    }
  }
}

/** So many of the last messages are looked through when a journal is opened: those of some minutes under load. */
const RECENT = 5_000;

/**
 * Finds void records that nobody has deleted yet: who wrote or saw one may have been killed in that moment. Gives each
 * with the head that its stream has without it.
 */
export async function findRecentVoids(
  past: Past,
  { subject, last }: { readonly subject: string; readonly last: number },
): Promise<readonly { readonly message: ReadMessage; readonly head: MessageHead }[]> {
  const heads = new Map<string, MessageHead>();
  const voids = [];
  for (let after = Math.max(0, last - RECENT); after < last; ) {
    const { messages, upTo } = await past.after(subject, after);
    for (const message of messages) {
      const head = headOfMessage(message);
      if (head === undefined) continue;
      const before = heads.get(message.subject);
      const isVoid = before !== undefined && !head.isMark && head.version <= before.version;
      if (isVoid) voids.push({ message, head: before });
      else heads.set(message.subject, head);
    }
    after = upTo;
  }
  return voids;
}
