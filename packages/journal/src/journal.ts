import type { Refusal } from '@proffer/core';
import type { JsonObject } from '@proffer/core/json';
import type { RecordContent, StreamHead } from '@proffer/core/records';
import type { AppendOutcome } from './outcome.js';
import type { StoredRecord } from './stored-record.js';
import type { TreeStore } from './tree-store.js';

/**
 * What acknowledged records survive. `power`: a power cut; they are on disk. `process`: the death of the
 * process; they are with the system, which syncs them within 10 ms, and a power cut may take those of that
 * time.
 */
export type Durability = 'power' | 'process';

/** Stands for all spaces in {@link Journal.feed} and {@link Journal.lastSeq}. */
export const EVERY_SPACE: unique symbol = Symbol('every space');

/** Records for the end of a stream. */
export interface Append {
  readonly stream: string;
  /** The version that the stream must have; 0 for a stream without records. */
  readonly expectedVersion: number;
  readonly records: readonly RecordContent[];
}

/** The end of a stream, and how much of its beginning retention has removed. */
export interface JournalHead extends StreamHead {
  /** Records up to this version are removed ({@link Journal.compact}); 0 if none are. */
  readonly removed: number;
}

export interface JournalFeedOptions {
  /** Ends the feed without an error. */
  readonly signal?: AbortSignal;
  /** Whether to continue with live records after the history. Default true. */
  readonly follow?: boolean;
}

export interface CloseOptions {
  /**
   * How long to wait for appends whose outcome is not known yet, in milliseconds. Those that are left then are never
   * answered: they may have become durable. Default: as long as the backend finds sensible.
   */
  readonly patience?: number;
}

export interface CompactOptions {
  /** Only streams whose last record was accepted before this time are considered; ms since 1970. */
  readonly before: number;
  /**
   * Whether a stream must stay, given its last record. The journal knows no rules: the caller must keep
   * everything pending, and everything that may still be appended to based on an earlier read.
   */
  readonly keep: (last: StoredRecord) => boolean;
}

export interface CompactReport {
  readonly streams: number;
  readonly records: number;
}

/** Damage found in a journal. */
export interface JournalFault {
  /** The file, and the byte offset of the damage, if the backend has files. */
  readonly file?: string;
  readonly offset?: number;
  /** Absent if the place cannot be read at all. */
  readonly stream?: string;
  readonly version?: number;
  readonly refusal: Refusal;
}

/** The end of a file that holds no complete batch, with no sign that it ever did. */
export interface CutOffWrite {
  readonly file: string;
  /** The byte offset; everything before it is intact. */
  readonly offset: number;
  /** The length of the record in bytes. */
  readonly bytes: number;
  /** Present if the write may have been acknowledged: its segment is of durability `process`. */
  readonly unsynced?: true;
}

/** A loss that was accepted so that a damaged journal opens again. */
export type AcceptedLoss = {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** The problems, one sentence each. */
  readonly faults: readonly string[];
  /** The highest `seq` that was kept, and the highest known to have been assigned. */
  readonly kept: number;
  readonly reached: number;
  /** The file and the byte where the journal ended after that; absent if nothing was kept. */
  readonly file?: string;
  readonly offset?: number;
  /** The folder with everything after that. */
  readonly movedTo?: string;
};

/** Records from before there were MACs, or from somebody else. */
export type UnsignedRecords = {
  readonly count: number;
  /** The `seq` of the last one. */
  readonly lastSeq: number;
  /** Whether all of them are accepted. Those that are not are faults. */
  readonly isAccepted: boolean;
};

export interface VerifyReport {
  readonly records: number;
  readonly streams: number;
  /** How many records retention has removed; absent if none. */
  readonly removed?: number;
  /** The first fault of each stream, and each unreadable part; empty if there are none. */
  readonly faults: readonly JournalFault[];
  /** A last write that was cut off or is in progress: the next start drops it. */
  readonly cutOff?: CutOffWrite;
  /** Records without a MAC, in a journal that has MACs; absent if there are none. */
  readonly unsigned?: UnsignedRecords;
  /** The losses accepted in the past; absent if there were none. */
  readonly losses?: readonly AcceptedLoss[];
}

/**
 * An event for the operator of a journal.
 *
 * - `write_failed`: appends were answered with `unavailable`; each time.
 * - `failing`: the first of these. From now on the journal itself checks whether it can be written
 *   again.
 * - `recovered`: it can.
 * - `descriptors_used_up`: the process can open no more files. The journal continues with its
 *   reserve.
 * - `stopped`: a space has a record that nobody who may write to the journal wrote. Until somebody has
 *   looked into it, nothing more is delivered or accepted there.
 * - `peer_rejected`: a message on the channel to the other processes was not from one of them.
 */
export type JournalEvent =
  | {
      readonly type: 'write_failed' | 'failing' | 'descriptors_used_up';
      readonly refusal: Refusal<'unavailable'>;
    }
  | { readonly type: 'stopped'; readonly space: string; readonly refusal: Refusal }
  | { readonly type: 'recovered' | 'peer_rejected' };

/** Sends transient messages to the other processes that have the same journal open. */
export interface PeerChannel {
  /**
   * Sends to all others that are connected now; lost while the journal is unreachable. False if it is
   * too large.
   */
  tell(message: JsonObject): boolean;
  /** Calls back with the messages of others, in order per sender, and with our own. */
  listen(listener: (message: JsonObject) => void): () => void;
}

/** A state derived from the records up to a `seq`. */
export interface SavedSnapshot {
  readonly seq: number;
  /** The saved texts, in order. Throws if they are damaged. */
  pieces(): AsyncIterable<string>;
}

/**
 * Stores a state derived from the journal, so that the next start need not read everything again. Only a shortcut: the
 * state must be the same without it.
 */
export interface SnapshotStore {
  /**
   * The last saved state; `undefined` if there is none, or if it does not match the journal. Throws if
   * it cannot be read.
   */
  load(): Promise<SavedSnapshot | undefined>;
  /**
   * Replaces the saved state atomically. Rejects with the system's error.
   *
   * @param seq - the last record it includes
   * @returns false, and nothing is saved, if that record is missing, so that the journal could not be
   * recognised
   */
  save(seq: number, pieces: Iterable<string>): Promise<boolean>;
}

/**
 * An append-only log of entity streams with optimistic concurrency. One contract for every backend;
 * the suite at `@proffer/journal/testing` is its other half.
 *
 * **Order.** Appends to one stream take effect in call order, and each is checked against the head
 * left by the earlier calls, acknowledged or not. So a caller that knows its version can decide and
 * append the next record without waiting for the disk. A local backend checks within the call; a
 * remote one checks where the records are and preserves the call order of a stream itself. Callers
 * cannot tell the difference: the answer always comes later, and the answers of a stream come in call
 * order. If one is `unavailable`, later appends to the stream are not made either.
 *
 * **Durability.** Nothing is visible before it is durable: not in an answer, not in `read`, not in
 * `feed` (I-1).
 */
export interface Journal {
  /** What durable means here; absent if that is up to servers, or if nothing survives. */
  readonly durability?: Durability;

  /**
   * Appends records to the end of a stream: all of them or none, even if the power fails. An empty list
   * only checks the version.
   */
  append(stream: string, expectedVersion: number, contents: readonly RecordContent[]): Promise<AppendOutcome>;

  /**
   * {@link Journal.append} to several streams: each append stands alone. Calls back once, never before this returns,
   * when the outcome of all of them is certain, with the outcomes in the same order.
   */
  appendAll(appends: readonly Append[], settle: (outcomes: readonly AppendOutcome[]) => void): void;

  /**
   * The records of a stream from a version (default 1) that are not removed, up to the appends called
   * before the first record is requested. Throws {@link JournalError} if the journal is damaged.
   */
  read(stream: string, fromVersion?: number): AsyncIterable<StoredRecord>;

  /**
   * The end of a stream including all appends called so far, also for finished and removed streams.
   * Cheap: it reads no records.
   *
   * @param atLeast - a version that someone has seen or expects: if fewer records are known here, and
   * others write to the journal too, it fetches what they wrote, and throws {@link JournalError} if a
   * majority of its servers does not answer. Default 1
   */
  head(stream: string, atLeast?: number): Promise<JournalHead>;

  /** The synchronous variant, in a journal that has the heads in memory; absent otherwise. */
  headNow?(stream: string): JournalHead;

  /**
   * Every record of a space after a `seq`, once and in order (I-6): first the history, then each as it
   * becomes durable, until the signal or the journal ends it. A consumer may be arbitrarily slow: it
   * then reads from disk what is no longer in memory. Throws {@link JournalError} if the journal is
   * damaged.
   */
  feed(
    space: string | typeof EVERY_SPACE,
    afterSeq: number,
    options?: JournalFeedOptions,
  ): AsyncIterable<StoredRecord>;

  /**
   * The feed in batches of bounded size: much cheaper for followers of a busy space. Absent in a
   * journal that delivers records one by one.
   */
  feedPieces?(
    space: string | typeof EVERY_SPACE,
    afterSeq: number,
    options?: JournalFeedOptions,
  ): AsyncIterable<readonly StoredRecord[]>;

  /**
   * The highest durable `seq` of a space, even if that record is removed; 0 if there was none.
   *
   * @param atLeast - a `seq` that someone has seen: throws {@link JournalError} rather than return a
   * smaller one that may be outdated. Default 0
   */
  lastSeq(space: string | typeof EVERY_SPACE, atLeast?: number): Promise<number>;

  /** Storage for snapshots of derived state; absent in a journal without it. */
  readonly snapshots?: SnapshotStore;

  /** Storage for the tree over the records; absent in a journal without it. */
  readonly tree?: TreeStore;

  /** The channel to the other processes that have it open; absent in a journal with a single owner. */
  readonly peers?: PeerChannel;

  /** Calls back with events of the journal; returns an unsubscribe function. Absent if there are none. */
  watch?(listener: (event: JournalEvent) => void): () => void;

  /** Reads everything durable, checks every chain, and reports what is wrong and where. */
  verify(): Promise<VerifyReport>;

  /**
   * Removes old, finished streams. Their heads stay known, so their ids stay taken; what remains
   * verifies and replays. It may be interrupted at any moment and resumed later; if the disk fails in
   * the middle it rejects with the system's error, and the journal stays intact.
   */
  compact(options: CompactOptions): Promise<CompactReport>;

  /** Finishes what is in flight, ends every feed, and releases the journal's resources. */
  close(options?: CloseOptions): Promise<void>;
}

declare global {
  // A program compiled without Node's types has no such name; elsewhere this adds nothing.
  interface AbortSignal {}
}
