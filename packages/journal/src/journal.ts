import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { RecordContent, StreamHead } from '@proffer/core/records';
import type { AppendOutcome } from './outcome.js';
import type { StoredRecord } from './stored-record.js';

/** Stands for all spaces at once in {@link Journal.feed} and {@link Journal.lastSeq}. */
export const EVERY_SPACE: unique symbol = Symbol('every space');

/** Records for the end of a stream. */
export interface Append {
  readonly stream: string;
  /** The version that the stream must have; 0 for a stream without records. */
  readonly expectedVersion: number;
  readonly records: readonly RecordContent[];
}

/** The end of a stream, and how much of its beginning retention has taken away. */
export interface JournalHead extends StreamHead {
  /** Records up to this version are removed ({@link Journal.compact}); 0 if none are. */
  readonly removed: number;
}

export interface FeedOptions {
  /** Ends the feed, quietly. */
  readonly signal?: AbortSignal;
  /** Whether to go on with live records after the history. Default true. */
  readonly follow?: boolean;
}

export interface CompactOptions {
  /** Only streams whose last record was accepted before this time are looked at; ms since 1970. */
  readonly before: number;
  /**
   * Whether a stream must stay, given its last record. The journal knows no rules: the caller must keep everything that
   * is pending, and everything that may still be appended to by an earlier reader.
   */
  readonly keep: (last: StoredRecord) => boolean;
}

export interface CompactReport {
  readonly streams: number;
  readonly records: number;
}

/** Something in a journal that is not as it was written. */
export interface JournalFault {
  /** The file, and the byte in it where the damaged or faulty part begins, where there are files. */
  readonly file?: string;
  readonly offset?: number;
  /** Absent when the place cannot be read at all. */
  readonly stream?: string;
  readonly version?: number;
  readonly refusal: Refusal;
}

/** The end of a file that holds no whole batch, although nothing shows that it ever did. */
export interface CutOffWrite {
  readonly file: string;
  /** The byte where it begins; all before it is whole. */
  readonly offset: number;
  /** How many bytes of it are there. */
  readonly bytes: number;
}

/** A loss that was accepted so that a damaged journal opens again. */
export type AcceptedLoss = {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** What was wrong, a sentence each. */
  readonly faults: readonly string[];
  /** The highest `seq` that was kept, and the highest that had been given out as far as is known. */
  readonly kept: number;
  readonly reached: number;
  /** The file and the byte where the journal ended from then on; absent if nothing was kept. */
  readonly file?: string;
  readonly offset?: number;
  /** The folder with what came after that. */
  readonly movedTo?: string;
};

export interface VerifyReport {
  readonly records: number;
  readonly streams: number;
  /** The first fault of each stream, and each part that cannot be read; empty when all is well. */
  readonly faults: readonly JournalFault[];
  /** A last write that was cut off, or is being written: the next start drops what is there of it. */
  readonly cutOff?: CutOffWrite;
  /** The losses that were accepted in the past; absent if there were none. */
  readonly losses?: readonly AcceptedLoss[];
}

/**
 * An event for the operator of a journal.
 *
 * - `write_failed`: appends were answered with `unavailable`; each time.
 * - `failing`: the first of these. From now on the journal checks on its own whether it can be written again.
 * - `recovered`: it can.
 * - `descriptors_used_up`: the process can open no more files. The journal goes on with those that it holds back.
 */
export type JournalEvent =
  | {
      readonly type: 'write_failed' | 'failing' | 'descriptors_used_up';
      readonly refusal: Refusal<'unavailable'>;
    }
  | { readonly type: 'recovered' };

/** Tells the other processes that have the same journal open something that is not kept. */
export interface PeerChannel {
  /** Tells all others that are there now; while the journal cannot be reached it is lost. False if it is too large. */
  tell(message: JsonObject): boolean;
  /** Calls back with the messages of others, in order per sender, and with our own. */
  listen(listener: (message: JsonObject) => void): () => void;
}

/** A state derived from the records up to a `seq`. */
export interface SavedSnapshot {
  readonly seq: number;
  /** The texts that were saved, in order. Throws where they are not as they were written. */
  pieces(): AsyncIterable<string>;
}

/**
 * Stores a state derived from the journal, so that the next start need not read everything again. Only a shortcut: the
 * state must be the same without it.
 */
export interface SnapshotStore {
  /**
   * What was saved last; `undefined` if there is nothing, or if it does not match the journal. Throws if it cannot be
   * read.
   */
  load(): Promise<SavedSnapshot | undefined>;
  /**
   * Replaces what was saved before, atomically. Rejects with the system's error.
   *
   * @param seq - the last record that it knows
   * @returns false, and nothing is saved, if that record is missing, so that the journal could not be recognised
   */
  save(seq: number, pieces: Iterable<string>): Promise<boolean>;
}

/**
 * An append-only log of entity streams with optimistic concurrency. One contract for every backend;
 * the suite at `@proffer/journal/testing` is its other half.
 *
 * **Order.** Appends to one stream take effect in the order of the calls, and each is checked against
 * the head that the calls before it leave, acknowledged or not. So a caller that knows its own version
 * decides and appends the next record without waiting for the disk. A backend on one machine checks
 * within the call; a remote one checks where the records are and keeps the order of the calls of a
 * stream by itself. Nobody can tell the difference: the answer always comes later, and the answers of a
 * stream come in the order of the calls. If one is `unavailable`, those that were to follow it on
 * the stream are not appended either.
 *
 * **Durability.** Nothing is shown to anybody before it is durable: not by an answer, not by `read`,
 * not by `feed` (I-1).
 */
export interface Journal {
  /**
   * Appends records to the end of a stream: all of them or none, also when the power fails. An empty list
   * only checks the version.
   */
  append(stream: string, expectedVersion: number, contents: readonly RecordContent[]): Promise<AppendOutcome>;

  /**
   * The same for callers with very many appends: calls back instead of creating a promise, once, and never before this
   * returns. The outcomes of all that became durable together come one right after the other.
   */
  appendThen(append: Append, settle: (outcome: AppendOutcome) => void): void;

  /**
   * The records of a stream from a version (default 1), as far as they are not removed, up to the appends
   * called before the first one is asked for. Throws {@link JournalError} where the journal is damaged.
   */
  read(stream: string, fromVersion?: number): AsyncIterable<StoredRecord>;

  /**
   * The end of a stream as the appends called so far leave it, including finished and removed streams. Cheap: it reads
   * no records.
   *
   * @param atLeast - a version that someone has seen or expects: if fewer records are known here, and others write to
   *   the journal too, it asks for what they wrote, and throws {@link JournalError} where a majority of its servers
   *   does not answer. Default 1
   */
  head(stream: string, atLeast?: number): Promise<JournalHead>;

  /** The same at once, in a journal that has the heads in memory; absent where it must ask for them. */
  headNow?(stream: string): JournalHead;

  /**
   * Every record of a space after a `seq`, once and in order (I-6): first the history, then each as it
   * becomes durable, until the signal or the journal ends it. A consumer may be as slow as it likes: it
   * then gets from the disk what memory no longer holds. Throws {@link JournalError} where the journal is
   * damaged.
   */
  feed(
    space: string | typeof EVERY_SPACE,
    afterSeq: number,
    options?: FeedOptions,
  ): AsyncIterable<StoredRecord>;

  /**
   * The same, with as many records at once as there are, up to a bounded number: much cheaper for followers of a busy
   * space. Absent in a journal that hands them over one by one.
   */
  feedPieces?(
    space: string | typeof EVERY_SPACE,
    afterSeq: number,
    options?: FeedOptions,
  ): AsyncIterable<readonly StoredRecord[]>;

  /**
   * The highest durable `seq` of a space, also when that record is removed; 0 if there was none.
   *
   * @param atLeast - a `seq` that someone has seen: throws {@link JournalError} rather than return a smaller one that
   *   may be outdated. Default 0
   */
  lastSeq(space: string | typeof EVERY_SPACE, atLeast?: number): Promise<number>;

  /** Where to keep what was made of it; absent in a journal that has no such place. */
  readonly snapshots?: SnapshotStore;

  /** The way to the other processes that have it open; absent in a journal that has one owner. */
  readonly peers?: PeerChannel;

  /** Calls back with what happens to the journal from now on; returns how to stop. Absent where nothing can. */
  watch?(listener: (event: JournalEvent) => void): () => void;

  /** Walks everything that is durable, checks every chain, and says what is wrong and where. */
  verify(): Promise<VerifyReport>;

  /**
   * Removes streams that are over and old. Their heads stay known, so their ids stay taken; what remains
   * verifies and replays. It may be interrupted at any moment and finished another time; when the disk
   * fails in the middle it rejects with what the system says, and the journal is whole all the same.
   */
  compact(options: CompactOptions): Promise<CompactReport>;

  /** Finishes what is in flight, ends every feed, and gives back what the journal holds. */
  close(): Promise<void>;
}

declare global {
  // A program compiled without Node's types has no such name; elsewhere this adds nothing.
  interface AbortSignal {}
}
