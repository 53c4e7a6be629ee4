import type { JetStreamManager } from '@nats-io/jetstream';
import { JournalError } from '../../journal-error.js';
import type { StreamEntry } from '../../streams/stream-table.js';
import type { Authenticity } from '../authenticity/index.js';
import type { NatsLink } from '../link/link.js';
import { headOfMessage, type ReadMessage } from '../messages/message.js';
import type { Subjects } from '../messages/subjects.js';
import type { NatsReader } from '../read/reader.js';
import type { Waiting } from './append-queue.js';
import { nextMessage } from './batch.js';

/** Where each stream of a batch must end for it to be written, as far as known here. */
export type Expectations = ReadonlyMap<string, StreamEntry>;

export interface BatchSearchOptions {
  readonly manager: JetStreamManager;
  readonly stream: string;
  readonly subjects: Subjects;
  readonly link: NatsLink;
  readonly reader: NatsReader;
  readonly authenticity: Authenticity;
}

/** Finds out what became of a batch whose answer was lost, or whose expectations were wrong. */
export interface BatchSearch {
  /**
   * Reads past the expected end of each stream: the sequence where the batch starts if it was written,
   * and the streams that others have written to. Retries until there is an answer.
   *
   * @param by - the attempt that wrote it
   */
  find(
    batch: readonly Waiting[],
    expected: Expectations,
    by: string,
  ): Promise<{ readonly writtenAt?: number; readonly overtaken: ReadonlySet<string> }>;
  /** Asks until there is an answer; `undefined` if there will be none. */
  ask<Value>(question: () => Promise<Value>): Promise<Value | undefined>;
}

export function createBatchSearch(options: BatchSearchOptions): BatchSearch {
  const { manager, stream: name, subjects, link, reader, authenticity } = options;

  async function ask<Value>(question: () => Promise<Value>): Promise<Value | undefined> {
    for (;;) {
      try {
        return await question();
      } catch (error) {
        // A message that no gateway wrote has stopped the space: there is nothing more to learn.
        if (link.isOver || error instanceof JournalError) return undefined;
        link.lost(error);
        await link.usable();
      }
    }
  }

  /** Whether this attempt wrote a message in the stream, rather than another gateway that wrote the same. */
  function isWrittenBy(message: ReadMessage, attempt: string): boolean {
    const head = headOfMessage(message);
    return head?.writtenBy === attempt && authenticity.check(message, head) === undefined;
  }

  return {
    ask,
    async find(batch, expected, by) {
      const overtaken = new Set<string>();
      const looked = new Set<string>();
      let index = 0;
      for (const { stream, sealed } of batch) {
        if (link.isOver) break;
        if (sealed.length > 0 && !looked.has(stream)) {
          looked.add(stream);
          const place = { subject: subjects.of(stream), after: expected.get(stream)?.seq ?? 0 };
          const next = await ask(() => nextMessage(manager, name, place));
          if (next !== undefined && isWrittenBy(next, by)) return { writtenAt: next.seq - index, overtaken };
          if (next !== undefined) {
            await ask(() => reader.lookUp(stream));
            overtaken.add(stream);
          }
        }
        index += sealed.length;
      }
      return { overtaken };
    },
  };
}
