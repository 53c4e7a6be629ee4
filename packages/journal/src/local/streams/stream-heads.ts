import { emptyStream, type StreamHead } from '@proffer/core/records';
import type { JournalHead } from '../../journal.js';
import type { StoredRecord } from '../../stored-record.js';
import { headOf, keyOf, type StreamKey, type StreamTable } from '../../streams/index.js';

/** Where the next append to a stream goes, and how its stream is found in the table. */
export interface Head extends StreamHead {
  readonly seq: number;
  readonly key: StreamKey;
}

const NO_RECORDS = { version: 0, hash: '', seq: 0 };

/** How many durable heads are cached at most. */
const MAX_RECENT = 1024;

/** The ends of all streams: on disk, and including everything in flight. */
export class StreamHeads {
  readonly #table: StreamTable;
  /** Heads that are not durable yet. */
  readonly #planned = new Map<string, Head>();
  /** Durable heads: a stream that was just appended to is often appended to again. */
  readonly #recent = new Map<string, Head>();

  constructor(table: StreamTable) {
    this.#table = table;
  }

  /** The head of a stream with records in flight; `undefined` if all of it is durable. */
  planned(stream: string): Head | undefined {
    return this.#planned.get(stream);
  }

  durable(stream: string): Head {
    const recent = this.#recent.get(stream);
    if (recent !== undefined) return recent;
    const key = keyOf(stream);
    const { version, hash, seq } = this.#table.get(key) ?? NO_RECORDS;
    return { stream, version, hash, seq, key };
  }

  /** The head for the next append, and how much of the stream is removed. */
  now(stream: string): JournalHead {
    const durable = this.#table.get(stream);
    const { version, hash } = this.#planned.get(stream) ?? durable ?? emptyStream(stream);
    return { stream, version, hash, removed: durable?.removed ?? 0 };
  }

  /** Records in flight make this the head. */
  plan(head: Head): void {
    this.#planned.set(head.stream, head);
  }

  /** A record has become durable. */
  reach(record: StoredRecord): void {
    const { stream, seq } = record;
    const planned = this.#planned.get(stream);
    this.#table.merge(planned?.key ?? stream, headOf(record));
    if (planned?.seq !== seq) {
      // More of the stream is in flight and may fail: then the durable head is looked up.
      this.#recent.delete(stream);
      return;
    }
    this.#planned.delete(stream);
    if (this.#recent.size === MAX_RECENT) this.#recent.clear();
    this.#recent.set(stream, planned);
  }

  /** Nothing that was in flight will become durable. */
  fail(): void {
    this.#planned.clear();
  }
}
