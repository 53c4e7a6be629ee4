import type { ProposalView } from '../proposals/proposal-view.js';
import { visible } from '../terminal/visible.js';

type Asked = Pick<ProposalView, 'proposer' | 'origin'>;

/**
 * Who asks: the proposer, and whom it asks for where it says so, such as `files for claude-code 2.1 (alice)`; of an agent
 * also where it works, as in `claude-code (alice) in /srv/app, session 3f2a`.
 */
export function whoAsks(proposal: Asked): string {
  const { folder, session } = proposal.origin ?? {};
  const where = folder === undefined ? '' : ` in ${visible(folder)}`;
  return `${whoAsksBriefly(proposal)}${where}${session === undefined ? '' : `, session ${visible(session)}`}`;
}

/** The same without where it works, for a row of a table. */
export function whoAsksBriefly({ proposer, origin }: Asked): string {
  const { client, version, user } = origin ?? {};
  const program = [client, version].filter((part) => part !== undefined).join(' ');
  const behind = [program, user === undefined ? '' : program === '' ? user : `(${user})`];
  const asked = behind.filter((part) => part !== '').join(' ');
  // An agent that asks for itself need not be named twice.
  const isItself = client === proposer;
  return visible(isItself || asked === '' ? asked || proposer : `${proposer} for ${asked}`);
}
