import { type Envelope } from '@proffer/core';
import {
  evolveProposal,
  type Proposal,
  type ProposalRecord,
  proposalStream,
  recallProposal,
  type SeenId,
  type SpaceState,
  seenIds,
} from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/index.js';
import type { Original } from './original.js';

/** Proposals that retention has removed: they are over, and their ids are taken. */
export type Removed = ReadonlySet<string>;

export const NONE_REMOVED: Removed = new Set();

/** Where the record of a proposal is. It is known for ever, longer than its id is remembered: it begins its stream. */
export function firstRecord(space: string, { id, kind }: Envelope): readonly Original[] {
  return kind.startsWith('mcp.proposal.') ? [{ stream: proposalStream(space, id), version: 1 }] : [];
}

/**
 * Whether a message begins a proposal of which there is nothing to read: so it is for nearly every one. If another gateway
 * wrote it a moment ago, that shows when it is appended; a proposal that is only referred to must be looked for.
 */
export function isNew(journal: Journal, space: string, { id }: Envelope, proposal: string): boolean {
  return proposal === id && journal.headNow?.(proposalStream(space, id)).version === 0;
}

/** A proposal as its stream has it; `removed` when retention has taken the stream away. */
export async function readProposal(
  journal: Journal,
  space: string,
  id: string,
): Promise<Proposal | 'removed' | undefined> {
  return await foldProposal(journal, proposalStream(space, id), () => {});
}

/** What brings a proposal back into memory as its stream has it; otherwise as {@link readProposal}. */
export async function readRecall(
  journal: Journal,
  space: string,
  id: string,
): Promise<((state: SpaceState) => SpaceState) | 'removed' | undefined> {
  const said: SeenId[] = [];
  const proposal = await foldProposal(journal, proposalStream(space, id), (record) =>
    said.push(...seenIds(space, record, record.version)),
  );
  return typeof proposal === 'object' ? (state) => recallProposal(state, proposal, said) : proposal;
}

type StoredAbout = StoredOperation & ProposalRecord;

async function foldProposal(
  journal: Journal,
  stream: string,
  onRecord: (record: StoredAbout) => void,
): Promise<Proposal | 'removed' | undefined> {
  const { version, removed } = await journal.head(stream);
  if (removed > 0) return 'removed';
  if (version === 0) return undefined;
  let proposal: Proposal | undefined;
  for await (const record of journal.read(stream)) {
    proposal = evolveProposal(proposal, record as StoredAbout);
    onRecord(record as StoredAbout);
  }
  return proposal;
}
