import type { Failure } from '../command-failure.js';
import { inOwnWords, printJson, type Shell } from './shell.js';
import { visible } from './visible.js';

/**
 * Reports on stderr what went wrong and what to do next.
 *
 * @param asJson - also as `{ "error": { code, message, details } }` on stdout. Default: no
 */
export function printFailure(
  { code, message, details = {}, next = [] }: Failure,
  shell: Shell,
  asJson = false,
): void {
  if (asJson) printJson({ error: { code, message, details } }, shell);
  const { style } = shell;
  const lines = inOwnWords(message, shell.name).split('\n').map(visible);
  shell.tell(
    `${style.red('✗')} ${lines.join('\n  ')}`,
    ...next.map((step) => `  ${style.cyan('→')} ${visible(step)}`),
  );
}
