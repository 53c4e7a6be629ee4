import { defined } from '@proffer/core/json';
import { subjectOf } from '@proffer/core/kind';
import { describeDecision, type StewardEvent } from '@proffer/steward';
import { visibleName } from '../display/operation.js';
import { printJson } from '../terminal/print-json.js';
import type { Shell } from '../terminal/shell.js';
import { visible } from '../terminal/visible.js';

/** One line per action of a steward: the proposal, the outcome, and why. */
export function printStewardEvent(event: StewardEvent, shell: Shell, asJson: boolean): void {
  const { proposal, decision } = event;
  const { id, proposer, method, params } = proposal;
  const about = { proposal: id, proposer, method, ...defined({ params }), decision };
  if (event.type === 'amended') {
    if (asJson) return printJson({ type: event.type, by: event.by, ...about }, shell);
    const paint = decision.action === 'deny' ? shell.style.red : shell.style.dim;
    return shell.print(
      `${shell.style.bold(visible(id))}  ${visible(event.by)} changed it; the rules say ${paint(decision.action)}: ${visible(describeDecision(decision))}`,
    );
  }
  const { outcome } = event;
  const failure = event.error instanceof Error ? event.error.message : undefined;
  if (asJson) {
    const error = defined({ error: failure });
    return printJson({ type: event.type, outcome, ...error, ...about }, shell);
  }
  const { style } = shell;
  const paint = {
    fulfilled: style.green,
    rejected: style.red,
    left: style.yellow,
    late: style.dim,
    failed: style.red,
  };
  const subject = subjectOf(method, params);
  const name = visibleName({ method, ...defined({ subject }) });
  const why = failure ?? describeDecision(decision);
  shell.print(
    `${style.bold(visible(id))}  ${paint[outcome](outcome)}  ${name} for ${visible(proposer)}  ${style.dim(visible(why))}`,
  );
}
