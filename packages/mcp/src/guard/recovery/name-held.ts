import { textAt } from '../../json-rpc.js';
import { createCallIds } from '../asked/index.js';
import type { CallMemory } from './kept-facts.js';
import { isUnknown } from './left-behind.js';
import type { ProposalArchive } from './proposal-archive.js';

/** How long an unknown outcome reserves a name, in milliseconds: a server may never come back. */
const LONGEST = 86_400_000;

/** A guard that wants a name. */
export interface Contender {
  readonly server: string;
  readonly identity: string;
  /** What guards of this server stored about their calls. */
  readonly memory: CallMemory;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Whether a name is reserved for the guard of another server: calls for that server wait under it, and their approvals
 * would be wasted; or one of them is running, or has had an unknown outcome for at most a day that no caller was told,
 * which only a guard under that name can do (O-23). It is reserved until that guard is back, the calls have expired, or
 * the day is over. This does not enter the space.
 */
export async function isHeldForAnother(
  archive: ProposalArchive,
  name: string,
  { memory, now, ...about }: Contender,
): Promise<boolean> {
  const { isForeign } = createCallIds({ ...about, principal: name }, now);
  for await (const proposal of archive.open({ proposer: name })) {
    const { phase, changedAt } = proposal;
    const id = textAt(proposal, 'id');
    if (!isForeign(id)) continue;
    const isRecent = typeof changedAt === 'number' && now - changedAt < LONGEST;
    if (phase === 'pending' || (isRecent && isUnknown(proposal) && !memory.has({ type: 'heard', id })))
      return true;
  }
  return false;
}
