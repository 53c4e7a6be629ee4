import type { StreamHead } from '@proffer/core/records';
import type { Space } from '../feed.js';
import { EVERY_SPACE, type JournalHead } from '../journal.js';
import { type StreamEntry, StreamTable } from '../streams/index.js';
import { follows, NO_RECORDS } from './chain.js';
import type { MessageHead } from './message.js';
import type { Subjects } from './subjects.js';

/**
 * The ends of all streams as far as they are known here: as of when the journal was opened, and as each message came
 * since, in the order of the stream. What another gateway wrote a moment ago may be missing; who appends on top of that
 * learns it from the server.
 */
export class KnownHeads {
  readonly #subjects: Subjects;
  readonly #table = new StreamTable();
  /** By subject: ends that were looked up, and have not come in their turn. */
  readonly #ahead = new Map<string, StreamEntry>();
  /** The highest `seq` of a record, by the space's name in subjects. */
  readonly #lastSeqs = new Map<string, number>();
  #lastSeq = 0;
  /** All messages up to this sequence came. */
  #upTo = 0;

  constructor(subjects: Subjects) {
    this.#subjects = subjects;
  }

  /** What is known of a stream. `seq` is that of its last message, which may be the mark of removed records. */
  of(stream: string): StreamEntry {
    const subject = this.#subjects.of(stream);
    return this.#ahead.get(subject) ?? this.#table.get(subject) ?? NO_RECORDS;
  }

  /** The same without what was looked up: the last that came in its turn and counts. */
  settled(stream: string): MessageHead {
    const known = this.#table.get(this.#subjects.of(stream));
    return known === undefined ? NO_RECORDS : { ...known, recordSeq: known.seq, isMark: false };
  }

  head(stream: string): StreamHead {
    const { version, hash } = this.of(stream);
    return { stream, version, hash };
  }

  /**
   * The head, with how much of the stream is removed.
   *
   * @param planned - where the stream will end when all that is on its way is written. If others have written as much,
   * that will never be
   */
  withRemoved(stream: string, planned?: StreamHead): JournalHead {
    const { version, hash, removed } = this.of(stream);
    const end = planned !== undefined && planned.version > version ? planned : { version, hash };
    return { stream, version: end.version, hash: end.hash, removed };
  }

  /** Takes in the end of a stream that was looked up, before its message comes in its turn. */
  reach(stream: string, entry: StreamEntry): void {
    if (entry.seq > this.#upTo && entry.version >= this.of(stream).version)
      this.#ahead.set(this.#subjects.of(stream), entry);
  }

  /** Takes in the end of a stream as the journal is opened. */
  begin(subject: string, head: MessageHead): void {
    this.#table.merge(subject, head);
    this.#note(subject, head);
  }

  /**
   * Takes in what a message that came in its turn says of its stream. False if it is void: it does not follow the last
   * record that counts.
   *
   * @param prev - the hash of the record before it, of a record
   */
  learn(subject: string, head: MessageHead, prev?: string): boolean {
    this.#upTo = Math.max(this.#upTo, head.seq);
    const ahead = this.#ahead.get(subject);
    if (ahead !== undefined && ahead.seq <= head.seq) this.#ahead.delete(subject);
    const known = this.#table.get(subject);
    // What was there when the journal was opened may come again.
    if (known !== undefined && head.seq <= known.seq) return true;
    if (!follows(known ?? NO_RECORDS, head, prev)) return false;
    this.begin(subject, head);
    return true;
  }

  #note(subject: string, { recordSeq, seq }: MessageHead): void {
    this.#upTo = Math.max(this.#upTo, seq);
    const space = this.#subjects.spaceIn(subject);
    if (recordSeq > (this.#lastSeqs.get(space) ?? 0)) this.#lastSeqs.set(space, recordSeq);
    if (recordSeq > this.#lastSeq) this.#lastSeq = recordSeq;
  }

  /** The highest known `seq` of a record of a space, or of all. */
  lastSeq(space: Space): number {
    if (space === EVERY_SPACE) return this.#lastSeq;
    return this.#lastSeqs.get(this.#subjects.spaceToken(space)) ?? 0;
  }
}
