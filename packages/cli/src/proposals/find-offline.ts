import type { Shell } from '../terminal/shell.js';
import type { FoundProposal } from './find-proposal.js';

/**
 * A proposal from a journal's folder, without a gateway. Loads the journal reader only when it is called: commands that
 * ask a gateway need no journal.
 *
 * @throws CommandFailure for a journal that cannot be read, and a proposal that is not in it
 */
export async function findOffline(
  id: string,
  {
    data,
    space = 'main',
    exact,
  }: { readonly data: string; readonly space?: string; readonly exact?: boolean },
  shell: Shell,
): Promise<FoundProposal> {
  const { journalPlace } = await import('../journal/place.js');
  const { readProposal } = await import('../journal/history.js');
  return await readProposal(
    { folder: await journalPlace({ data }, shell), space, name: shell.name },
    id,
    exact,
  );
}
