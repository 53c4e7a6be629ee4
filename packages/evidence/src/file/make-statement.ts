import type { JsonObject } from '@proffer/core/json';
import type { SharedHashes, TreeKeeper } from '../log/tree-keeper.js';
import { toBase64 } from '../notes/bytes.js';
import type { Checkpoint } from '../notes/checkpoint.js';
import { formatNote, formatVerifierKey, type VerifierKey } from '../notes/signed-note.js';
import {
  EVIDENCE_TYPE,
  type EvidenceAbout,
  type EvidenceEntry,
  type EvidenceLog,
  type EvidenceStatement,
  STATEMENT_TYPE,
} from './statement.js';
import { type EvidenceRecord, isAbout, streamOf, summarize } from './summary.js';

/** The signed log that proofs come from. */
export interface ProofSource {
  readonly tree: Pick<TreeKeeper, 'proveInclusion' | 'proveConsistency'>;
  readonly checkpoint: Checkpoint;
  readonly keys: readonly VerifierKey[];
  /** The keys of the witnesses that are asked. */
  readonly witnesses: readonly VerifierKey[];
  /** The sizes of earlier states that somebody kept. */
  readonly kept: readonly number[];
}

export interface StatementSource {
  readonly about: EvidenceAbout;
  /** In the order of `seq`, with those that they rest on. */
  readonly records: readonly EvidenceRecord[];
  /** Absent if the journal has no signed log. */
  readonly log?: ProofSource | undefined;
  readonly receipt?: string | undefined;
  /** When and by which version it is made. */
  readonly now: number;
  readonly version: string;
}

/** Makes a statement about records, with the proof that each of them is in the log. */
export async function makeStatement(source: StatementSource): Promise<EvidenceStatement> {
  const { about, records, log, receipt, now, version } = source;
  const last = records.findLast((record) => isAbout(about, record));
  const shared: SharedHashes = new Map();
  return {
    _type: STATEMENT_TYPE,
    subject: [{ name: nameOf(about), digest: { sha256: last?.hash ?? '' } }],
    predicateType: EVIDENCE_TYPE,
    predicate: {
      about,
      made: { at: new Date(now).toISOString(), version },
      summary: summarize(about, records),
      records: await Promise.all(records.map((record) => entryOf(record, log, shared))),
      ...(log === undefined ? {} : { log: await describeLog(log) }),
      ...(receipt === undefined ? {} : { receipt }),
    },
  };
}

/** What a file is about, as its subject names it. */
export function nameOf(about: EvidenceAbout): string {
  if ('since' in about) return `${about.space} since ${new Date(about.since).toISOString()}`;
  return streamOf(about) ?? '';
}

async function entryOf(
  placed: EvidenceRecord,
  log: ProofSource | undefined,
  shared: SharedHashes,
): Promise<EvidenceEntry> {
  const { seq, ...record } = placed;
  const found = await log?.tree.proveInclusion(seq, log.checkpoint.size, shared);
  const entry = { seq, record: record as JsonObject };
  if (found === undefined) return entry;
  return { ...entry, inclusion: { index: found.index, hashes: found.proof.map(toBase64) } };
}

async function describeLog({ tree, checkpoint, keys, witnesses, kept }: ProofSource): Promise<EvidenceLog> {
  const sizes = [...new Set(kept)].filter((size) => size > 0 && size < checkpoint.size);
  return {
    checkpoint: formatNote(checkpoint.note),
    keys: keys.map(formatVerifierKey),
    witnesses: witnesses.map(formatVerifierKey),
    consistency: await Promise.all(
      sizes.map(async (size) => ({
        size,
        hashes: (await tree.proveConsistency(size, checkpoint.size)).map(toBase64),
      })),
    ),
  };
}
