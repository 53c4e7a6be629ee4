import type { StreamHead } from '@proffer/core/records';
import type { Space } from '../feed.js';
import { EVERY_SPACE, type JournalHead } from '../journal.js';
import { type StreamEntry, StreamTable } from '../streams/index.js';
import type { MessageHead } from './message.js';
import type { Subjects } from './subjects.js';

const NO_RECORDS: StreamEntry = { version: 0, hash: '', seq: 0, removed: 0 };

/**
 * The ends of all streams as far as they are known here: as of when the journal was opened, and as each message came
 * since. What another gateway wrote a moment ago may be missing; who appends on top of that learns it from the server.
 */
export class KnownHeads {
  readonly #subjects: Subjects;
  readonly #table = new StreamTable();
  /** The highest `seq` of a record, by the space as it stands in subjects. */
  readonly #lastSeqs = new Map<string, number>();
  #lastSeq = 0;

  constructor(subjects: Subjects) {
    this.#subjects = subjects;
  }

  /** What is known of a stream. `seq` is that of its last message, which may be the mark of removed records. */
  of(stream: string): StreamEntry {
    return this.#table.get(this.#subjects.of(stream)) ?? NO_RECORDS;
  }

  head(stream: string): StreamHead {
    const { version, hash } = this.of(stream);
    return { stream, version, hash };
  }

  /** The head, with how much of the stream is removed. */
  withRemoved(stream: string, planned?: StreamHead): JournalHead {
    const { version, hash, removed } = this.of(stream);
    return { stream, version: planned?.version ?? version, hash: planned?.hash ?? hash, removed };
  }

  /** Takes in the new end of a stream before its message came back with the others. */
  reach(stream: string, entry: StreamEntry): void {
    this.#table.merge(this.#subjects.of(stream), entry);
  }

  /** Takes in what a message that came says of its stream. */
  learn(subject: string, head: MessageHead): void {
    this.#table.merge(subject, head);
    const space = this.#subjects.spaceIn(subject);
    if (head.recordSeq > (this.#lastSeqs.get(space) ?? 0)) this.#lastSeqs.set(space, head.recordSeq);
    if (head.recordSeq > this.#lastSeq) this.#lastSeq = head.recordSeq;
  }

  /** The highest known `seq` of a record of a space, or of all. */
  lastSeq(space: Space): number {
    if (space === EVERY_SPACE) return this.#lastSeq;
    return this.#lastSeqs.get(this.#subjects.spaceToken(space)) ?? 0;
  }
}
