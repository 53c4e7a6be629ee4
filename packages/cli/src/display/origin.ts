import type { ProposalView } from '../proposals/proposal-view.js';
import { visible } from '../terminal/visible.js';

type Asked = Pick<ProposalView, 'proposer' | 'origin'>;

/**
 * The proposer, and on whose behalf it asks, such as `files for claude-code 2.1 (alice)`; for an agent also
 * where it works, as in `claude-code (alice) in /srv/app, session 3f2a`.
 */
export function whoAsks(proposal: Asked): string {
  const { folder, session } = proposal.origin ?? {};
  const where = folder === undefined ? '' : ` in ${visible(folder)}`;
  return `${whoAsksBriefly(proposal)}${where}${session === undefined ? '' : `, session ${visible(session)}`}`;
}

/** Who asks, without the location, for a table row. */
export function whoAsksBriefly({ proposer, origin }: Asked): string {
  const { client, version, user } = origin ?? {};
  const program = [client, version].filter((part) => part !== undefined).join(' ');
  const behind = [program, user === undefined ? '' : program === '' ? user : `(${user})`];
  const asked = behind.filter((part) => part !== '').join(' ');
  // An agent that asks on its own behalf is named once.
  const isItself = client === proposer;
  return visible(isItself || asked === '' ? asked || proposer : `${proposer} for ${asked}`);
}
