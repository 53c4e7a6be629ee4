import { CommandFailure } from '../command-failure.js';
import type { Connection } from '../connection/connection.js';
import { sameOptions } from '../connection/gateway-url.js';
import { phaseWord } from '../display/phase.js';
import { EXIT } from '../exit-code.js';
import { commandAbout } from '../terminal/shell-word.js';
import { createStyle } from '../terminal/style.js';
import { visible } from '../terminal/visible.js';
import type { ProposalView } from './proposal-view.js';

/** Reports that the proposal has already ended, in the words of `show`. */
export async function tooLate(ids: readonly string[], connection: Connection): Promise<CommandFailure> {
  const [id = ''] = ids;
  const { proposal } = await connection.proposal(id);
  const which = ids.length === 1 ? JSON.stringify(id) : 'None of them is pending; the first';
  const options = sameOptions(connection.endpoint);
  const show = commandAbout(`${connection.name} show`, [id], { options });
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'late',
    message: `Too late, nothing changed: ${which} ${howItEnded(proposal)}.`,
    details: { proposals: ids, state: proposal.phase },
    next: [`${show}   # what became of it`],
  });
}

function howItEnded(proposal: ProposalView): string {
  const { decision, proposer } = proposal;
  const { by, reason = '' } = decision ?? {};
  const name = JSON.stringify(by);
  if (by !== undefined && decision?.decision === 'withdrawn')
    return `was withdrawn by ${name}${reason === '' ? '' : ` (${visible(reason)})`}`;
  const who = by === undefined || by === proposer ? '' : `, decided by ${name}`;
  return `is ${phaseWord(proposal, createStyle(false))}${who}`;
}

/** The same for an approval that came too late; other errors unchanged. */
export async function explainLate(error: unknown, id: string, connection: Connection): Promise<unknown> {
  if (!(error instanceof CommandFailure) || error.failure.code !== 'proposal_not_pending') return error;
  const { message, next = [] } = (await tooLate([id], connection)).failure;
  return new CommandFailure({ ...error.failure, message, next }, error);
}
