import {
  type ComparedCondition,
  describeRule,
  type RuleAction,
  type RuleExplanation,
} from '@proffer/steward';
import type { Shell } from '../terminal/shell.js';
import type { Style } from '../terminal/style.js';
import { visible } from '../terminal/visible.js';

/** An action in its colour. */
export function paintAction(action: RuleAction, style: Style): string {
  const paint = { allow: style.green, ask: style.yellow, deny: style.red }[action];
  return paint(action);
}

/**
 * Prints every rule that was tried, why it did not match, and what follows.
 *
 * @param undecided - the positions of rules that cannot be judged because the arguments are not known; if there is one,
 *   the result is unknown too
 */
export function printExplanation(
  { decision, tried }: RuleExplanation,
  shell: Shell,
  undecided: ReadonlySet<number> = new Set(),
): void {
  const { style } = shell;
  for (const { rule, action, matched, failed, held, doubtful } of tried) {
    const isOpen = undecided.has(rule.index);
    const mark = isOpen ? style.yellow('?') : matched ? style.green('✓') : style.dim('·');
    shell.print(`${mark} ${visible(describeRule(rule))}: ${paintAction(action, style)}`);
    if (isOpen) {
      shell.print(style.yellow('    cannot be said: it looks at arguments, whose values are not recorded'));
      continue;
    }
    if (failed !== undefined) shell.print(style.dim(`    no: ${describeCondition(failed)}`));
    for (const condition of held) shell.print(style.dim(`    yes: ${describeCondition(condition)}`));
    for (const condition of doubtful) {
      shell.print(style.yellow(`    in doubt, so it matches: ${describeCondition(condition)}`));
    }
  }
  const version = style.dim(`rules ${visible(decision.version)}`);
  if (undecided.size > 0) {
    const why = 'What these rules say depends on the arguments, of which only the names are recorded.';
    shell.print('', `${style.bold(style.yellow('cannot be said'))}  ${why} --args JSON gives them.`, version);
    return;
  }
  if (decision.rule === undefined) shell.print(`${style.green('✓')} no rule matches, so the default applies`);
  shell.print('', `${style.bold(paintAction(decision.action, style))}  ${visible(decision.reason)}`, version);
}

function describeCondition({ condition, expected, found }: ComparedCondition): string {
  return visible(`${condition} is ${found}; expected ${expected}`);
}
