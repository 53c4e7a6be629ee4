import { basename, join, resolve } from 'node:path';
import {
  type FoundItem,
  type FoundProgram,
  type Ledger,
  type Machine,
  PROGRAMS,
  readLedger,
  surveyMachine,
  UnreadableLedgerError,
} from '@proffer/hook/connect';
import { lockFile, makeFolder } from '@proffer/journal';
import { CommandFailure, EXIT } from '../../command-failure.js';
import { guardsFolder, homeOf } from '../../connection/guards-folder.js';
import type { Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, visible } from '../../terminal/visible.js';

/** What is on this machine, and what of it is connected. */
export interface Connections {
  /** The guards' folder. */
  readonly folder: string;
  readonly machine: Machine;
  readonly ledger: Ledger;
  readonly programs: readonly FoundProgram[];
}

/**
 * Looks around on this machine; changes nothing.
 *
 * @throws CommandFailure if what is known about earlier connections cannot be read
 */
export function openConnections(
  { data }: { readonly data?: string },
  { env }: Pick<Shell, 'env'>,
): Connections {
  const folder = resolve(data ?? guardsFolder(env));
  const machine = { home: homeOf(env), env, platform: process.platform };
  try {
    const ledger = readLedger(folder);
    return { folder, machine, ledger, programs: surveyMachine(machine, ledger) };
  } catch (error) {
    if (!(error instanceof UnreadableLedgerError)) throw error;
    const next = [`The previous files are next to it, in ${join(folder, 'connect')}.`];
    throw new CommandFailure(
      { exit: EXIT.refused, code: 'unreadable_ledger', message: error.message, next },
      error,
    );
  }
}

/** Keeps others from connecting or disconnecting at the same time. */
export async function whileAlone<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  makeFolder(join(folder, 'connect'));
  const lock = await lockFile(join(folder, 'connect', 'lock'));
  if (!('release' in lock))
    throw new CommandFailure({
      exit: EXIT.refused,
      code: 'busy',
      message: `Another proffer connect or disconnect is running${lock.pid === undefined ? '' : `, as process ${lock.pid}`}. Nothing was changed.`,
      next: ['Let it finish, or stop it, and try again.'],
    });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** How an item is named on the command line. */
export function itemName({ program, name }: Pick<FoundItem, 'program' | 'name'>): string {
  return `${program}/${name}`;
}

/** Every item of all programs. */
export function itemsOf(programs: readonly FoundProgram[]): readonly FoundItem[] {
  return programs.flatMap(({ items }) => items);
}

/**
 * One row for each item: what it is, and whether its calls are asked about.
 *
 * @param numbered - the items that can be chosen by their numbers
 */
export function showCoverage(
  programs: readonly FoundProgram[],
  shell: Shell,
  numbered: readonly FoundItem[] = [],
): void {
  const rowOf = (item: FoundItem): readonly string[] => {
    const at = numbered.indexOf(item);
    const cells = [PROGRAMS[item.program].label, whatIs(item), visible(saidOf(item, shell.now()))];
    return numbered.length === 0 ? cells : [at === -1 ? '' : String(at + 1), ...cells];
  };
  const rows = itemsOf(programs).map(rowOf);
  const columns = [{ title: 'PROGRAM' }, { title: 'WHAT' }, { title: 'PROFFER', flexible: true }];
  const shown = numbered.length === 0 ? columns : [{ title: '#' }, ...columns];
  shell.print(formatTable(shown, rows, { width: tableWidth(shell), style: shell.style }), '');
}

function whatIs({ kind, name, keys = [] }: FoundItem): string {
  if (kind === 'hook') return 'hook';
  if (kind === 'tools') return 'its own tools';
  if (kind === 'file') return visible(name);
  const [first, project = ''] = keys;
  return `server ${visible(name)}${first === 'projects' ? ` (${visible(basename(project))})` : ''}`;
}

function saidOf({ kind, coverage }: FoundItem, now: number): string {
  if (coverage.type === 'open') return 'not connected';
  if (coverage.type === 'uncovered') return kind === 'tools' ? coverage.why : `not covered: ${coverage.why}`;
  const { by, since } = coverage;
  return `${by === 'hook' ? 'hook' : 'guard'}${since === undefined ? ', set up by hand' : ` since ${formatMoment(since, now)}`}`;
}
