import type { Outcome } from '../connection/await-outcome.js';
import { nameOf, type Step } from '../connection/proposal-view.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';
import { phaseWord } from './phase.js';
import { showResult } from './result.js';

/** How it ended, and the result if there is one: for people, or as one JSON object. */
export function printOutcome({ exit, proposal, history }: Outcome, shell: Shell, asJson: boolean): void {
  const answer = history.findLast((step: Step) => step.type === 'answered');
  if (asJson) {
    const { id, phase, outcome, decision, rejections } = proposal;
    const response = answer?.message.payload;
    printJson({ id, state: phase, outcome, decision, rejections, response, exit }, shell);
    return;
  }
  const { style } = shell;
  const id = visible(proposal.id);
  shell.print(`${style.bold(id)}  ${visible(nameOf(proposal))}  ${phaseWord(proposal, style)}`);
  if (answer !== undefined) shell.print(...showResult(answer.message.payload, style.dim('│ ')));
  if (proposal.outcome?.result === 'unknown') {
    shell.print('It may or may not have run, and it is not retried. Check before you repeat it.');
  }
}
