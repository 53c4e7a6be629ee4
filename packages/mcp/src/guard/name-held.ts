import type { Participant } from '@proffer/client';
import { textAt } from '../json-rpc.js';
import { createCallIds } from './call-key.js';
import type { ProposalArchive } from './proposal-archive.js';

/**
 * Whether calls wait under the name of a participant that are for another server than this one. Whoever
 * serves under that name gets the approvals of them, which would be spent on nothing: the name is for the guard
 * of that server until it is back or they have expired.
 */
export async function isHeldForAnother(
  archive: ProposalArchive,
  { name, welcome }: Participant,
  about: { readonly server: string; readonly identity: string },
): Promise<boolean> {
  const { isForeign } = createCallIds({ ...about, principal: name }, 0);
  for await (const proposal of archive.recent({ seq: welcome.seq, proposer: name })) {
    if (proposal['phase'] !== 'pending') return false;
    if (isForeign(textAt(proposal, 'id'))) return true;
  }
  return false;
}
