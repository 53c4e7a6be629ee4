import { type CutOffWrite, describeCutOff } from '@proffer/journal';
import type { Shell } from '../terminal/shell.js';
import { tableWidth } from '../terminal/table.js';
import { visible, wrapWords } from '../terminal/visible.js';

/**
 * Reports that a journal ends with a write that was cut off, and what was done about it; prints nothing if it
 * does not.
 */
export function reportCutOff(
  cutOff: CutOffWrite | undefined,
  done: 'dropped' | 'left out',
  shell: Shell,
): void {
  if (cutOff === undefined) return;
  const [first = '', ...rest] = cutOffLines(cutOff, shell);
  shell.tell(
    `${shell.style.yellow('!')} ${first.trimStart()}`,
    ...rest,
    `  What remains of it was ${done}; everything before it is intact.`,
  );
}

/** Explains a write that was cut off, in lines that fit the terminal. */
export function cutOffLines(cutOff: CutOffWrite, shell: Shell): readonly string[] {
  return wrapWords(visible(describeCutOff(cutOff)), tableWidth(shell) - 2).map((line) => `  ${line}`);
}
