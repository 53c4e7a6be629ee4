import { objectsIn } from '@proffer/core/json';
import {
  evolveProposal,
  isProposalRecord,
  type Proposal,
  recordInMessage,
  type SealedOperation,
} from '@proffer/core/operations';
import { ask } from '../session/http.js';
import type { Space } from '../space/space.js';

/** A record with its place in the space. */
export type PlacedRecord = SealedOperation & { readonly seq: number };

/** The maximum kept in one page; more can be requested. */
export const MAX_RECORDS = 50_000;

interface ReadOptions {
  readonly after: number;
  readonly signal: AbortSignal;
  readonly onPage: (records: readonly PlacedRecord[]) => void;
}

/**
 * Reads the records of a space page by page, up to {@link MAX_RECORDS}. Resolves with whether that was all.
 * Rejects with an AskError.
 */
export async function readRecords(
  { name, token }: Pick<Space, 'name' | 'token'>,
  { after: start, signal, onPage }: ReadOptions,
): Promise<boolean> {
  const path = `/spaces/${encodeURIComponent(name)}/feed?records=true`;
  let after = start;
  for (let read = 0; read < MAX_RECORDS; ) {
    const { messages, seq } = await ask(`${path}&after=${after}`, token);
    if (signal.aborted) return false;
    const found = objectsIn(messages);
    const records = found.flatMap((message) => {
      const record = recordInMessage(message);
      return record === undefined ? [] : [{ ...record, seq: Number(message['seq']) }];
    });
    onPage(records);
    if (typeof seq !== 'number' || seq <= after) return true;
    after = seq;
    read += records.length;
  }
  return false;
}

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
