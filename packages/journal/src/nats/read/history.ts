import type { JetStreamManager } from '@nats-io/jetstream';
import type { Authentic, Entry } from '../authenticity/authentic-message.js';
import type { ReadMessage } from '../messages/message.js';
import { nextMessage, readStored } from '../write/batch.js';

/** How many messages, and about how many bytes, are requested at once. */
const PIECE = { batch: 512, max_bytes: 1_048_576 };

/** A chunk of a stream's history. */
export interface Piece<Message> {
  readonly messages: readonly Message[];
  /** The chunk is complete up to this sequence; infinite if nothing is left. */
  readonly upTo: number;
}

/** Reads earlier messages. */
export interface Past<Message = Entry> {
  /** The next messages after a sequence, of one subject or of all that match a wildcard. */
  after(subject: string, seq: number): Promise<Piece<Message>>;
}

/** Only what gateways wrote: rejects with a JournalError where there is something else. */
export function checkedPast(past: Past<ReadMessage>, authentic: Pick<Authentic, 'entry'>): Past {
  return {
    async after(subject, seq) {
      const { messages, upTo } = await past.after(subject, seq);
      return { messages: messages.flatMap((message) => authentic.entry(message) ?? []), upTo };
    },
  };
}

/** Everything, whoever wrote it. */
export function createPast(manager: JetStreamManager, stream: string): Past<ReadMessage> {
  return {
    async after(subject, seq) {
      const messages: ReadMessage[] = [];
      let pending = 0;
      try {
        const query = { seq: seq + 1, next_by_subj: subject, ...PIECE };
        for await (const message of await manager.direct.getBatch(stream, query)) {
          messages.push(readStored(message));
          pending = message.pending;
        }
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      const last = messages.at(-1);
      if (last !== undefined && pending > 0) return { messages, upTo: last.seq };
      // Any server of the stream may have answered, even one that lags. The leader knows whether that was
      // all.
      const next = await nextMessage(manager, stream, { subject, after: last?.seq ?? seq });
      if (next === undefined) return { messages, upTo: Number.POSITIVE_INFINITY };
      return { messages: [...messages, next], upTo: next.seq };
    },
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as { readonly code?: unknown }).code === 404;
}
