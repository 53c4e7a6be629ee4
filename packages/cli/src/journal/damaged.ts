import type { Refusal } from '@proffer/core';
import { type CutOffWrite, describeCutOff } from '@proffer/journal';
import { CommandFailure, EXIT } from '../command-failure.js';
import { type Shell, shellWord } from '../terminal/shell.js';
import { tableWidth } from '../terminal/table.js';
import { visible, wrapWords } from '../terminal/visible.js';

/** What to do about a damaged journal for which there is no backup. */
export function repairStep(folder: string, { name }: Pick<Shell, 'name'>): string {
  return `${name} repair --data ${shellWord(folder)}   # without a backup: shows what can be recovered`;
}

/** The failure of a command that cannot use a journal. */
export function journalFailure(
  { code, message, details }: Refusal,
  folder: string,
  shell: Shell,
): CommandFailure {
  const next = code === 'journal_damaged' ? [repairStep(folder, shell)] : [];
  return new CommandFailure({ exit: EXIT.refused, code, message, details, next });
}

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
