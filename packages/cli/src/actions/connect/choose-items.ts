import { type FoundItem, type FoundProgram, PROGRAM_IDS } from '@proffer/hook/connect';
import { nearest } from '@proffer/reading';
import { usageFailure } from '../../command-failure.js';
import { agentAlias } from '../../hook/own-entries.js';
import { askLine } from '../../terminal/confirm.js';
import type { Shell } from '../../terminal/shell.js';
import { itemName, itemsOf } from './connections.js';

/** The programs and items that `--only` names. */
export function parseOnly(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => {
      const [program = '', ...rest] = name.split('/');
      return [agentAlias(program.toLowerCase()), ...rest].join('/');
    });
}

/** Whether a name of `--only` means an item: its program, or the item itself. */
export function isMeant(name: string, item: FoundItem): boolean {
  return name === item.program || name === itemName(item);
}

/** Whether `--only` names an item. */
export function isNamed(only: string, item: FoundItem): boolean {
  return parseOnly(only).some((name) => isMeant(name, item));
}

/**
 * The items that `--only` names.
 *
 * @throws CommandFailure for a name that means nothing here
 */
export function chosenByName(
  only: string,
  programs: readonly FoundProgram[],
  open: readonly FoundItem[],
): readonly FoundItem[] {
  const items = itemsOf(programs);
  const names = parseOnly(only);
  if (names.length === 0) throw usageFailure('--only needs a name.', ['--only claude-code,cursor']);
  for (const name of names) {
    if (items.some((item) => isMeant(name, item)) || programs.some(({ program }) => program.id === name))
      continue;
    const known = [...programs.map(({ program }) => program.id), ...items.map(itemName)];
    const isProgram = PROGRAM_IDS.some((id) => id === name);
    const meant = nearest(name, known);
    throw usageFailure(
      isProgram
        ? `${name} was not found on this machine.`
        : `--only ${JSON.stringify(name)}: no such program was found here. Found: ${known.length === 0 ? 'nothing' : known.join(', ')}.`,
      meant === undefined || isProgram ? [] : [`--only ${meant}`],
    );
  }
  return open.filter((item) => names.some((name) => isMeant(name, item)));
}

/** Asks which of the numbered items to take; none if the question is withdrawn. */
export async function chosenByNumber(
  open: readonly FoundItem[],
  shell: Shell,
): Promise<readonly FoundItem[]> {
  const signal = shell.interruption();
  for (;;) {
    const answer = await askLine(
      'Connect which? Numbers such as 1,3-5, or none; Enter for all: ',
      shell,
      signal,
    );
    if (answer === undefined || /^(?:n|no|none|q|quit)$/i.test(answer)) return [];
    if (/^(?:|a|all|y|yes)$/i.test(answer)) return open;
    const numbers = parseNumbers(answer, open.length);
    if (numbers !== undefined) return open.filter((_, at) => numbers.has(at + 1));
    shell.print(`Please type numbers from 1 to ${open.length}.`);
  }
}

/** `1,3-5` or `1 3` as numbers; `undefined` if one of them is not between 1 and the last. */
export function parseNumbers(text: string, last: number): ReadonlySet<number> | undefined {
  const numbers = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter((one) => one !== '')) {
    const [, from = '', to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    const [low, high] = [Number(from), Number(to)];
    if (from === '' || low < 1 || high > last || high < low) return undefined;
    for (let number = low; number <= high; number++) numbers.add(number);
  }
  return numbers.size === 0 ? undefined : numbers;
}
