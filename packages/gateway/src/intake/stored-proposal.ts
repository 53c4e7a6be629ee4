import { evolveProposal, type Proposal, type ProposalRecord, proposalStream } from '@proffer/core';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/batch.js';

/** Proposals that retention has removed: they are over, and their ids are taken. */
export type Removed = ReadonlySet<string>;

export const NONE_REMOVED: Removed = new Set();

/** True when it is certain at once that there is nothing to read: so it is for nearly every new proposal. */
export function neverWas(journal: Journal, space: string, id: string): boolean {
  return journal.headNow?.(proposalStream(space, id)).version === 0;
}

/** A proposal as its stream has it; `removed` when retention has taken the stream away. */
export async function readProposal(
  journal: Journal,
  space: string,
  id: string,
): Promise<Proposal | 'removed' | undefined> {
  const stream = proposalStream(space, id);
  const { version, removed } = await journal.head(stream);
  if (removed > 0) return 'removed';
  if (version === 0) return undefined;
  let proposal: Proposal | undefined;
  for await (const record of journal.read(stream)) {
    proposal = evolveProposal(proposal, record as StoredOperation & ProposalRecord);
  }
  return proposal;
}
