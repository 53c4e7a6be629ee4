import type { Envelope } from '@proffer/core';
import {
  emptySpace,
  evolveProposal,
  type Proposal,
  type ProposalRecord,
  proposalStream,
  recallProposal,
  replaySpace,
  type SpaceState,
  saidIn,
  seenIds,
  type TakenId,
} from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../../delivery/index.js';
import { replayAlone } from '../../journal/index.js';
import type { SpaceHostOptions } from '../space-host.js';
import type { Original } from './original.js';

/** Proposals that retention has removed: they are finished, and their ids are taken. */
export type Removed = ReadonlySet<string>;

export const NONE_REMOVED: Removed = new Set();

/**
 * The location of a proposal's first record. It is known forever, longer than its id is remembered: it begins
 * its stream.
 */
export function firstRecord(space: string, envelope: Envelope): readonly Original[] {
  if (!envelope.kind.startsWith('mcp.proposal.')) return [];
  return [{ stream: proposalStream(space, envelope.id), version: 1, ...saidIn(envelope) }];
}

/**
 * Whether a message starts a proposal without existing records, as nearly all proposals do. If another
 * gateway wrote it a moment ago, the append reveals it; a proposal that is only referred to must be looked
 * up.
 */
export function isNew(journal: Journal, space: string, { id }: Envelope, proposal: string): boolean {
  return proposal === id && journal.headNow?.(proposalStream(space, id)).version === 0;
}

/** A proposal from its stream; `removed` if retention removed the stream. */
export async function readProposal(
  journal: Journal,
  space: string,
  id: string,
): Promise<Proposal | 'removed' | undefined> {
  return await foldProposal(journal, proposalStream(space, id), () => {});
}

/** Recalls a proposal into memory from its stream; otherwise like {@link readProposal}. */
export async function readRecall(
  journal: Journal,
  space: string,
  id: string,
): Promise<((state: SpaceState) => SpaceState) | 'removed' | undefined> {
  const said: TakenId[] = [];
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

type Options = Pick<SpaceHostOptions, 'journal' | 'settings' | 'replay' | 'from'>;

/** Reads the history of a space: its state, and the last `seq` in it. */
export async function replayHistory({
  journal,
  settings,
  replay = replayAlone(journal),
  from = emptySpace(settings),
}: Options): Promise<{ readonly state: SpaceState; readonly seq: number }> {
  // A snapshot knows only the settings of the space, without the limits of the gateway.
  const history = replaySpace({ ...from, settings });
  const seq = await replay(settings.name, (record) => history.fold(record as StoredOperation));
  for (const id of history.missing()) {
    const recall = await readRecall(journal, settings.name, id);
    if (typeof recall === 'function') history.adjust(recall);
  }
  return { state: history.end(), seq };
}
