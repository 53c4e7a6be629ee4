import type { ProposalView } from '../proposals/proposal-view.js';
import { visible } from '../terminal/visible.js';

/**
 * Who asks: the proposer, and whom it asks for where it says so, such as `files for claude-code 2.1 (alice)`; of an agent
 * also where it works, as in `claude-code (alice) in /srv/app, session 3f2a`.
 */
export function whoAsks({ proposer, origin }: Pick<ProposalView, 'proposer' | 'origin'>): string {
  const { client, version, user, folder, session } = origin ?? {};
  const program = [client, version].filter((part) => part !== undefined).join(' ');
  const behind = [program, user === undefined ? '' : program === '' ? user : `(${user})`];
  const asked = behind.filter((part) => part !== '').join(' ');
  // An agent that asks for itself need not be named twice.
  const isItself = client === proposer;
  const who = isItself || asked === '' ? asked || proposer : `${proposer} for ${asked}`;
  const where = folder === undefined ? '' : ` in ${folder}`;
  return visible(`${who}${where}${session === undefined ? '' : `, session ${session}`}`);
}
