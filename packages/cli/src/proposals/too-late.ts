import { describeDecision, describeResult } from '@proffer/core/words';
import { CommandFailure, EXIT } from '../command-failure.js';
import type { GatewayConnection } from '../connection/connection.js';
import { sameOptions } from '../connection/endpoint.js';
import { commandAbout } from '../terminal/shell.js';
import { voiceAt } from '../terminal/visible.js';
import type { ProposalView } from './proposal-view.js';

/** Reports that the proposal has already ended, in the words of `show`. */
export async function tooLate(id: string, connection: GatewayConnection): Promise<CommandFailure> {
  const { proposal } = await connection.proposal(id);
  const options = sameOptions(connection.endpoint);
  const show = commandAbout(`${connection.name} show`, [id], { options });
  return new CommandFailure({
    exit: EXIT.refused,
    code: 'late',
    message: `Too late: nothing was changed. ${JSON.stringify(id)}: ${howItEnded(proposal)}`,
    details: { proposals: [id], state: proposal.phase },
    next: [`${show}   # what became of it`],
  });
}

function howItEnded(proposal: ProposalView): string {
  const decided = describeDecision(proposal, voiceAt(Date.now()));
  return [decided ?? '', describeResult(proposal)].join(' ').trim();
}

/** Explains an approval that came too late; other errors unchanged. */
export async function explainLate(
  error: unknown,
  id: string,
  connection: GatewayConnection,
): Promise<unknown> {
  if (!(error instanceof CommandFailure) || error.failure.code !== 'proposal_not_pending') return error;
  const { message, next = [] } = (await tooLate(id, connection)).failure;
  return new CommandFailure({ ...error.failure, message, next }, error);
}
