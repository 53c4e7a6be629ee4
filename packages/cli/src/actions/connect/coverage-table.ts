import { basename } from 'node:path';
import { type FoundItem, type FoundProgram, PROGRAMS } from '@proffer/hook/connect';
import type { Shell } from '../../terminal/shell.js';
import { formatTable, tableWidth } from '../../terminal/table.js';
import { formatMoment, visible } from '../../terminal/visible.js';

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
