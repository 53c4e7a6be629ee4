import type { Outcome } from '../connection/await-outcome.js';
import { nameOf, type Step } from '../connection/proposal-view.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { commandAbout } from '../terminal/shell-word.js';
import { visible } from '../terminal/visible.js';
import { phaseWord } from './phase.js';
import { showResult } from './result.js';

/** How it ended, and the result if there is one: for people, or as one JSON object. */
export function printOutcome({ exit, proposal, history, at }: Outcome, shell: Shell, asJson: boolean): void {
  const answer = history.findLast((step: Step) => step.type === 'answered');
  if (asJson) {
    const { id, phase, outcome, decision, rejections } = proposal;
    const response = answer?.message.payload;
    printJson({ id, state: phase, outcome, decision, rejections, response, exit }, shell);
    return;
  }
  const { style, name } = shell;
  const id = visible(proposal.id);
  if (proposal.phase === 'pending') {
    const whom = proposal.to.length === 0 ? '' : ` (${proposal.to.map(visible).join(', ')})`;
    const nobodySaidNo = Object.keys(proposal.rejections).length === 0;
    const why = nobodySaidNo ? style.red(`nobody it is addressed to is there${whom}`) : style.red('rejected');
    const withdraw = commandAbout(`${name} withdraw`, [proposal.id], { options: at });
    shell.print(
      `${style.bold(id)}  ${why}, so nobody is waiting for it any more. Others may still approve it.`,
      style.dim(`  to take it back:  ${visible(withdraw)}`),
    );
    return;
  }
  shell.print(`${style.bold(id)}  ${visible(nameOf(proposal))}  ${phaseWord(proposal, style)}`);
  if (answer !== undefined) shell.print(...showResult(answer.message.payload, style.dim('│ ')));
  if (proposal.outcome?.result === 'unknown') {
    shell.print(
      'It was run or it was not: nobody can tell, and nothing runs again by itself. Look before you repeat it.',
    );
  }
}
