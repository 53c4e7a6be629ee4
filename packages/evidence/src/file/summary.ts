import {
  type SessionRecord,
  type SessionState,
  sessionDecider,
  sessionStream,
} from '@proffer/core/negotiation';
import {
  emptySpace,
  evolveSpace,
  type OperationRecord,
  type Proposal,
  proposalStream,
  spaceSettings,
} from '@proffer/core/operations';
import type { SealedRecord } from '@proffer/core/records';
import { stateOf } from '@proffer/core/words';
import type { EvidenceAbout, EvidenceEntry, EvidenceStep, EvidenceSummary } from './statement.js';

/** A record with its place. */
export type EvidenceRecord = SealedRecord & { readonly seq: number };

/** The record of an entry. */
export function recordOf({ seq, record }: EvidenceEntry): EvidenceRecord {
  return Object.assign({}, record, { seq }) as unknown as EvidenceRecord;
}

/** Whether a record is one that the file is about, and not one that these rest on. */
export function isAbout(about: EvidenceAbout, { stream, time }: SealedRecord): boolean {
  if ('since' in about) return time >= about.since && stream.startsWith(`${about.space}/`);
  return stream === streamOf(about);
}

/** The stream that a file is about; `undefined` if it is about several. */
export function streamOf(about: EvidenceAbout): string | undefined {
  if ('session' in about) return sessionStream(about.session);
  return 'proposal' in about ? proposalStream(about.space, about.proposal) : undefined;
}

/**
 * What the records add up to, by core's rules.
 *
 * @throws Error for records that no gateway writes
 */
export function summarize(about: EvidenceAbout, records: readonly EvidenceRecord[]): EvidenceSummary {
  const own = records.filter((record) => isAbout(about, record));
  const steps = own.map(stepOf);
  if ('session' in about) {
    let session: SessionState;
    for (const record of own) session = sessionDecider.evolve(session, record as unknown as SessionRecord);
    return { ...(session === undefined ? {} : { state: session.status }), steps };
  }
  if (!('proposal' in about)) return { steps };
  const proposal = foldProposal(about, own);
  if (proposal === undefined) return { steps };
  const ran = proposal.fulfilment?.digest;
  return {
    state: stateOf(proposal),
    proposed: proposal.digest,
    ...(ran === undefined ? {} : { ran }),
    steps,
  };
}

/** The proposal that its records add up to. */
export function foldProposal(
  { space, proposal }: { readonly space: string; readonly proposal: string },
  records: readonly EvidenceRecord[],
): Proposal | undefined {
  let state = emptySpace(spaceSettings({ name: space }));
  for (const record of records) state = evolveSpace(state, record as unknown as OperationRecord);
  return state.proposals.get(proposal);
}

function stepOf({ seq, time, principal, type }: EvidenceRecord): EvidenceStep {
  return { seq, at: new Date(time).toISOString(), who: principal, what: type };
}
