import type { JsonObject } from '@proffer/core/json';

/** The type of an evidence file's payload: an in-toto statement, in JSON. */
export const STATEMENT_PAYLOAD = 'application/vnd.in-toto+json';

export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';

/** What the predicate of a statement is. A change that older readers would misunderstand gets another number. */
export const EVIDENCE_TYPE = 'https://proffer.dev/evidence/v1';

/** More records than this, or larger ones, are not for one file: whoever needs them copies the journal. */
export const MAX_EVIDENCE = 10_000;
/** Of all records together, in characters of JSON. */
export const MAX_EVIDENCE_SIZE = 32 * 1_048_576;

/** What a file is about: a proposal, a negotiation, or everything in a space since a time (milliseconds since 1970). */
export type EvidenceAbout =
  | { readonly space: string; readonly proposal: string }
  | { readonly session: string }
  | { readonly space: string; readonly since: number };

/** A record, its place in the journal, and the proof that the log has it there. */
export type EvidenceEntry = {
  readonly seq: number;
  readonly record: JsonObject;
  /** Where the log has it, and the hashes that prove it, in base64; absent if the checkpoint does not cover it. */
  readonly inclusion?: { readonly index: number; readonly hashes: readonly string[] };
};

/** One record of the summary. */
export type EvidenceStep = {
  readonly seq: number;
  /** In ISO 8601. */
  readonly at: string;
  readonly who: string;
  /** The type of the record. */
  readonly what: string;
};

/** What happened, for readers without our software. It follows from the records, and is checked against them. */
export type EvidenceSummary = {
  /** What became of the proposal or the session. */
  readonly state?: string;
  /** The digest of the call that was proposed, and of the one that ran. */
  readonly proposed?: string;
  readonly ran?: string;
  readonly steps: readonly EvidenceStep[];
};

/** The signed log of the journal. */
export type EvidenceLog = {
  /** A signed note: the state that all proofs are about. */
  readonly checkpoint: string;
  /** The keys of the log. Whoever checks should have them from elsewhere. */
  readonly keys: readonly string[];
  /** The keys of the witnesses that the log asks; likewise. */
  readonly witnesses: readonly string[];
  /** Proofs that the log continues earlier states of it, for those who kept one. */
  readonly consistency: readonly { readonly size: number; readonly hashes: readonly string[] }[];
};

export type EvidencePredicate = {
  readonly about: EvidenceAbout;
  readonly made: { readonly at: string; readonly version: string };
  readonly summary: EvidenceSummary;
  /** What the file is about, and what that rests on, such as the definition of a tool; in the order of `seq`. */
  readonly records: readonly EvidenceEntry[];
  /** Absent if the journal has no signed log. */
  readonly log?: EvidenceLog;
  /** The receipt of a session that ended with a commitment, as JSON text (N-29). */
  readonly receipt?: string;
};

/** An in-toto statement, version 1. */
export type EvidenceStatement = {
  readonly _type: typeof STATEMENT_TYPE;
  /** The last record of what the file is about; through its chain it stands for those before it. */
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: typeof EVIDENCE_TYPE;
  readonly predicate: EvidencePredicate;
};
