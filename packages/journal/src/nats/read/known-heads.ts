import type { StreamHead } from '@proffer/core/records';
import type { SpaceScope } from '../../feed.js';
import { EVERY_SPACE, type JournalHead } from '../../journal.js';
import { type StreamEntry, StreamTable } from '../../streams/stream-table.js';
import type { MessageHead } from '../messages/message.js';
import type { Subjects } from '../messages/subjects.js';
import { follows, NO_RECORDS } from '../verify/chain.js';

/**
 * The ends of all streams as far as they are known here: from when the journal was opened, updated by
 * each message since, in stream order. Recent writes of other gateways may be missing; whoever
 * appends on top of that learns it from the server.
 */
export class KnownHeads {
  readonly #subjects: Subjects;
  readonly #table = new StreamTable();
  /** By subject: ends that were looked up, and have not arrived in order. */
  readonly #ahead = new Map<string, StreamEntry>();
  /** The highest `seq` of a record, by the space's token in subjects. */
  readonly #lastSeqs = new Map<string, number>();
  #lastSeq = 0;
  /** All messages up to this sequence have arrived. */
  #upTo = 0;

  constructor(subjects: Subjects) {
    this.#subjects = subjects;
  }

  /**
   * What is known about a stream. `seq` is that of its last message, which may be the mark of removed
   * records.
   */
  of(stream: string): StreamEntry {
    const subject = this.#subjects.of(stream);
    return this.#ahead.get(subject) ?? this.#table.get(subject) ?? NO_RECORDS;
  }

  /** The head without lookups: the last valid one that arrived in order. */
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
   * @param planned - where the stream will end once everything in flight is written. If others have
   * written as much, that will never happen
   */
  withRemoved(stream: string, planned?: StreamHead): JournalHead {
    const { version, hash, removed } = this.of(stream);
    const end = planned !== undefined && planned.version > version ? planned : { version, hash };
    return { stream, version: end.version, hash: end.hash, removed };
  }

  /** Adds the end of a stream that was looked up, before its message arrives in order. */
  reach(stream: string, entry: StreamEntry): void {
    if (entry.seq > this.#upTo && entry.version >= this.of(stream).version)
      this.#ahead.set(this.#subjects.of(stream), entry);
  }

  /** Adds the end of a stream while the journal is opened. */
  begin(subject: string, head: MessageHead): void {
    this.#table.merge(subject, head);
    this.#note(subject, head);
  }

  /**
   * Applies a message that arrived in order. False if it is void: it does not follow the last valid
   * record.
   *
   * @param prev - for a record, the hash of the record before it
   */
  learn(subject: string, head: MessageHead, prev?: string): boolean {
    this.#upTo = Math.max(this.#upTo, head.seq);
    const ahead = this.#ahead.get(subject);
    if (ahead !== undefined && ahead.seq <= head.seq) this.#ahead.delete(subject);
    const known = this.#table.get(subject);
    // Messages that existed when the journal was opened may arrive again.
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

  /** How many streams have arrived in order. */
  get size(): number {
    return this.#table.size;
  }

  /** The highest known `seq` of a record in a space, or in all. */
  lastSeq(space: SpaceScope): number {
    if (space === EVERY_SPACE) return this.#lastSeq;
    return this.#lastSeqs.get(this.#subjects.spaceToken(space)) ?? 0;
  }
}
