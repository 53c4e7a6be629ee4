import type { Result } from '@proffer/core';
import type { CutOffWrite, Journal } from './journal.js';
import type { RemovedStream } from './local/index.js';

/**
 * What the rest of Proffer needs to know about a backend. Each backend describes itself in its own room, and
 * `backends.ts` lists them: nothing outside tests which one it is.
 *
 * @typeParam Place - where a journal of this backend is, as the configuration says it
 */
export type JournalBackend<Place> = {
  /** What a place is called in sentences, and after `--data` on the command line. */
  readonly nameOf: (place: Place) => string;
  /** Opens the journal for a gateway. Refuses one that another process has, that is damaged, or that is not safe. */
  readonly open: (place: Place) => Promise<Result<OpenedJournal>>;
} & (
  | { readonly reach: 'process' }
  | { readonly reach: 'machine'; readonly folderOf: (place: Place) => string }
  | ({ readonly reach: 'shared' } & SharedBackend<Place>)
);

/** A journal, and what its last write left if that was cut off. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly dropped?: CutOffWrite;
}

/** What a backend adds that several gateways, on several machines, write to at once. */
export interface SharedBackend<Place> {
  /** Opens an existing journal while gateways write to it. */
  readonly openExisting: (place: Place) => Promise<Result<Journal>>;
  readonly address: {
    /** What addresses of this backend begin with. */
    readonly pattern: RegExp;
    /** One to show people, such as `nats://HOST:4222/proffer`. */
    readonly example: string;
    /**
     * Reads an address; `undefined` if it is malformed.
     *
     * @param replicas - how many copies a journal gets that is made there
     */
    readonly parse: (text: string, replicas: number) => Place | undefined;
  };
  /** Whether the servers answer, can keep a journal and keep it safely. Changes nothing. */
  readonly check: (place: Place, needs: BackendNeeds) => Promise<readonly BackendFinding[]>;
  /** Copies a journal into a place that has none. Each record keeps its `seq`. */
  readonly copyInto: (source: CopySource, place: Place) => Promise<Result<CopyReport>>;
  /** Copies the journal of a place into a folder that has none. Each record keeps its `seq`. */
  readonly copyToFolder: (place: Place, folder: string) => Promise<Result<CopyReport>>;
}

/** What a gateway will ask of a backend. */
export interface BackendNeeds {
  /** The largest message that the gateway takes, in bytes. */
  readonly largestMessage: number;
}

/** What a check of a backend found. Only `bad` keeps a gateway from working. */
export interface BackendFinding {
  readonly state: 'good' | 'warn' | 'bad';
  readonly subject: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** A journal that is copied, and what retention has removed from it. */
export interface CopySource {
  readonly journal: Journal;
  readonly removed: readonly RemovedStream[];
}

/** What was copied. */
export interface CopyReport {
  readonly records: number;
  readonly removed: number;
  /** The last `seq`, the same in both. */
  readonly seq: number;
}
