import type { Refusal } from '@proffer/core';
import { CommandFailure, EXIT } from '../command-failure.js';
import { type Shell, shellWord } from '../terminal/shell.js';

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
