import { evolveProposal, isProposalRecord, type Proposal } from '@proffer/core/operations';
import type { PlacedRecord } from './read-records.js';

/** The proposals of a space as of a number of records, newest change first. */
export function foldUpTo(records: readonly PlacedRecord[], count: number): readonly Proposal[] {
  const proposals = new Map<string, Proposal>();
  for (let place = 0; place < count; place++) {
    const record = records[place];
    if (record === undefined || !isProposalRecord(record)) continue;
    const { proposal: id } = record.facts;
    const known = proposals.get(id);
    // The beginning may be on an earlier page, or not visible to us.
    if (known === undefined && record.type !== 'proposed') continue;
    // Deleted and set again: a map keeps insertion order.
    proposals.delete(id);
    proposals.set(id, evolveProposal(known, record));
  }
  return [...proposals.values()].reverse();
}
