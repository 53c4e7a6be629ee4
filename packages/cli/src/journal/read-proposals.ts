import { viewProposal } from '@proffer/core/operations';
import type { ProposalView } from '../proposals/proposal-view.js';
import { foldJournal } from './fold.js';
import type { JournalPlace } from './place.js';

/**
 * Every proposal of a space from a journal's folder, the oldest first, as a gateway would show it to someone who sees
 * everything. One that has expired since is still pending there: no gateway has recorded it.
 *
 * @throws CommandFailure for a journal that cannot be read
 */
export async function readProposals(folder: JournalPlace, space: string): Promise<readonly ProposalView[]> {
  const { spaces } = await foldJournal(folder, { space });
  const proposals = spaces.get(space)?.proposals.values() ?? [];
  return Array.from(proposals, (proposal) => viewProposal(proposal) as unknown as ProposalView);
}
