import type { ProposalView } from '../proposals/proposal-view.js';
import { visible } from '../terminal/visible.js';

/**
 * Who asks: the proposer, and whom it asks for and where that works, if it says so, such as
 * `files for claude-code 2.1 (alice) in /srv/app`.
 */
export function whoAsks({ proposer, origin }: Pick<ProposalView, 'proposer' | 'origin'>): string {
  const { client, version, user, folder } = origin ?? {};
  const program = [client, version].filter((part) => part !== undefined).join(' ');
  const behind = [program, user === undefined ? '' : program === '' ? user : `(${user})`];
  const asked = behind.filter((part) => part !== '').join(' ');
  const where = folder === undefined ? '' : ` in ${visible(folder)}`;
  return `${visible(proposer)}${asked === '' ? '' : ` for ${visible(asked)}`}${where}`;
}
