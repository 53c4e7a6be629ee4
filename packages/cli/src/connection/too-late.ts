import { CommandFailure } from '../command-failure.js';
import { phaseWord } from '../display/phase.js';
import { EXIT } from '../exit-code.js';
import { commandAbout } from '../terminal/shell-word.js';
import { createStyle } from '../terminal/style.js';
import type { Connection } from './connection.js';
import { sameOptions } from './gateway-url.js';

/** It makes no difference any more, because what it is about has ended: told with the word that `show` has for it. */
export async function tooLate(ids: readonly string[], connection: Connection): Promise<CommandFailure> {
  const [id = ''] = ids;
  const { proposal } = await connection.proposal(id);
  const { by } = proposal.decision ?? {};
  const which = ids.length === 1 ? `${JSON.stringify(id)} is` : 'None of them is pending; the first is';
  const who = by === undefined || by === proposal.proposer ? '' : `, decided by ${JSON.stringify(by)}`;
  const options = sameOptions(connection.endpoint);
  const show = commandAbout(`${connection.name} show`, [id], { options });
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'late',
    message: `Too late, nothing changed: ${which} ${phaseWord(proposal, createStyle(false))}${who}.`,
    details: { proposals: ids, state: proposal.phase },
    next: [`${show}   # what became of it`],
  });
}

/** The same for an approval that the gateway refused because it came too late; any other error as it is. */
export async function explainLate(error: unknown, id: string, connection: Connection): Promise<unknown> {
  if (!(error instanceof CommandFailure) || error.failure.code !== 'proposal_not_pending') return error;
  const { message, next = [] } = (await tooLate([id], connection)).failure;
  return new CommandFailure({ ...error.failure, message, next }, error);
}
