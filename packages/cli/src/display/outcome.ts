import { describeEnding, describeUnknown } from '@proffer/core/words';
import type { WaitOutcome } from '../proposals/await-outcome.js';
import type { ProposalStep } from '../proposals/proposal-view.js';
import { printJson, type Shell } from '../terminal/shell.js';
import { visible, voiceAt } from '../terminal/visible.js';
import { phaseWord, visibleName } from './operation.js';
import { showResult } from './result.js';

/** The outcome for programs. */
export function outcomeJson({ exit, proposal, history }: WaitOutcome) {
  const { id, phase, outcome, decision, rejections } = proposal;
  return {
    id,
    state: phase,
    outcome,
    decision,
    rejections,
    response: answerIn(history)?.message.payload,
    exit,
  };
}

const answerIn = (history: readonly ProposalStep[]) => history.findLast(({ type }) => type === 'answered');

/** The outcome, with the result if there is one: for people, or as one JSON object. */
export function printOutcome(ended: WaitOutcome, shell: Shell, asJson: boolean): void {
  if (asJson) return printJson(outcomeJson(ended), shell);
  const { proposal, history } = ended;
  const answer = answerIn(history);
  const { style } = shell;
  const id = visible(proposal.id);
  shell.print(`${style.bold(id)}  ${visibleName(proposal)}  ${phaseWord(proposal, style)}`);
  if (proposal.ending !== undefined) shell.print(describeEnding(proposal.ending, voiceAt(shell.now())));
  if (answer !== undefined) shell.print(...showResult(answer.message.payload, style.dim('│ ')));
  if (proposal.outcome?.result === 'unknown') {
    shell.print(describeUnknown(proposal.outcome, voiceAt(shell.now())));
  }
}
