import type { Result } from '@proffer/core';
import type { CutOffWrite, Journal, VerifyReport } from './journal.js';
import type { RemovedStream } from './local/index.js';

/**
 * What the rest of Proffer needs to know about a backend. Each backend describes itself in its own
 * folder, and `backends.ts` lists them: nothing outside checks which one it is.
 *
 * @typeParam Place - the location of a journal of this backend, as configured
 */
export type JournalBackend<Place> = {
  /** What a place is called in messages, and after `--data` on the command line. */
  readonly nameOf: (place: Place) => string;
  /** Opens the journal for a gateway. Refuses one that is in use by another process, damaged, or unsafe. */
  readonly open: (place: Place) => Promise<Result<OpenedJournal>>;
} & (
  | { readonly reach: 'process' }
  | { readonly reach: 'machine'; readonly folderOf: (place: Place) => string }
  | ({ readonly reach: 'shared' } & SharedBackend<Place>)
);

/** A journal, what its last write left behind if it was cut off, and what its settings allow. */
export interface OpenedJournal {
  readonly journal: Journal;
  readonly dropped?: CutOffWrite;
  /** What its operator should know, one sentence each. */
  readonly warnings?: readonly string[];
}

/** Additional functions of a backend that several gateways, on several machines, can write to at once. */
export interface SharedBackend<Place> {
  /** Opens an existing journal while gateways write to it. */
  readonly openExisting: (place: Place) => Promise<Result<Journal>>;
  /** Checks every record of a journal, even of one that does not open, while gateways write to it. */
  readonly verify: (place: Place) => Promise<Result<VerifyReport>>;
  readonly address: {
    /** The prefix of this backend's addresses. */
    readonly pattern: RegExp;
    /** A sample address for people, such as `nats://HOST:4222/proffer`. */
    readonly example: string;
    /**
     * Parses an address; `undefined` if it is malformed.
     *
     * @param replicas - how many copies a new journal there gets
     * @param env - environment variables, for what an address does not say
     */
    readonly parse: (
      text: string,
      options: { readonly replicas: number; readonly env: Readonly<Record<string, string | undefined>> },
    ) => Place | undefined;
  };
  /** Whether the servers answer, can store a journal and store it safely. Changes nothing. */
  readonly check: (place: Place, needs: BackendNeeds) => Promise<readonly BackendFinding[]>;
  /** Copies a journal into an empty place. Each record keeps its `seq`. */
  readonly copyInto: (source: CopySource, place: Place) => Promise<Result<CopyReport>>;
  /** Copies the journal of a place into an empty folder. Each record keeps its `seq`. */
  readonly copyToFolder: (place: Place, folder: string) => Promise<Result<CopyReport>>;
}

/** What a gateway will require of a backend. */
export interface BackendNeeds {
  /** The largest message the gateway accepts, in bytes. */
  readonly largestMessage: number;
}

/** The result of checking a backend. Only `bad` prevents a gateway from working. */
export interface BackendFinding {
  readonly state: 'good' | 'warn' | 'bad';
  readonly subject: string;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** A journal to copy, and what retention has removed from it. */
export interface CopySource {
  readonly journal: Journal;
  readonly removed: readonly RemovedStream[];
}

/** The result of a copy. */
export interface CopyReport {
  readonly records: number;
  readonly removed: number;
  /** The last `seq`, the same in both. */
  readonly seq: number;
}
