import { describeRule, type FailedCondition, type RuleAction, type RuleExplanation } from '@proffer/steward';
import type { Shell } from '../terminal/shell.js';
import type { Style } from '../terminal/style.js';
import { visible } from '../terminal/visible.js';

/** An action in its colour. */
export function paintAction(action: RuleAction, style: Style): string {
  const paint = { allow: style.green, ask: style.yellow, deny: style.red }[action];
  return paint(action);
}

/** Prints every rule that was tried, why it did not match, and what follows. */
export function printExplanation({ decision, tried }: RuleExplanation, shell: Shell): void {
  const { style } = shell;
  for (const { rule, action, matched, failed, doubtful } of tried) {
    const mark = matched ? style.green('✓') : style.dim('·');
    shell.print(`${mark} ${visible(describeRule(rule))}: ${paintAction(action, style)}`);
    if (failed !== undefined) shell.print(style.dim(`    no: ${describeCondition(failed)}`));
    for (const condition of doubtful) {
      shell.print(style.yellow(`    in doubt, so it matches: ${describeCondition(condition)}`));
    }
  }
  if (decision.rule === undefined) shell.print(`${style.green('✓')} no rule matches, so the default holds`);
  shell.print(
    '',
    `${style.bold(paintAction(decision.action, style))}  ${visible(decision.reason)}`,
    style.dim(`rules ${visible(decision.version)}`),
  );
}

function describeCondition({ condition, expected, found }: FailedCondition): string {
  return visible(`${condition} is ${found}; wanted: ${expected}`);
}
