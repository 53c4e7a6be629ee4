import type { Shell, Style } from './shell.js';
import { displayWidth, fit, pad } from './visible.js';

/** A column of a table. The first one identifies the row, and is never shortened. */
export interface Column {
  readonly title: string;
  /** Takes the remaining room and is shortened to it; at most one column. */
  readonly flexible?: boolean;
  readonly paint?: (text: string) => string;
}

/** How many columns a table may use: those of the terminal, or any number if the output is not a terminal. */
export function tableWidth({ stdout, width }: Pick<Shell, 'stdout' | 'width'>): number {
  return stdout.isTTY === true ? width : Number.POSITIVE_INFINITY;
}

/** Columns on one line, each with its width. */
type Line = readonly { readonly index: number; readonly width: number }[];

const GAP = 2;
const INDENT = '  ';

/** With less room than this, the flexible column gets its own line. */
const MIN_FLEXIBLE = 24;

/**
 * Rows below their titles, each column as wide as its widest cell; piped, they are not padded, since one long
 * cell would make every row as long. If they do not fit, empty columns are left out, and the last ones and
 * the flexible one get their own lines. Cells are plain visible text; the colours come from the columns, so
 * that shortening does not break them.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const titles = columns.map(({ title }) => title);
  if (width === Number.POSITIVE_INFINITY)
    return [titles, ...rows].map((row) => row.join(' '.repeat(GAP)).trimEnd()).join('\n');
  const lines = arrange(columns, rows, width);
  const show = (cells: readonly string[], paint: (column: Column | undefined) => (text: string) => string) =>
    lines.map((line, place) => {
      const shown = line.map((column, position) => {
        const text = cells[column.index] ?? '';
        const cell = column.index === 0 ? text : fit(text, column.width);
        const filled = position === line.length - 1 ? cell : pad(cell, column.width);
        return paint(columns[column.index])(filled);
      });
      return `${place === 0 ? '' : INDENT}${shown.join(' '.repeat(GAP))}`.trimEnd();
    });
  return [
    ...show(titles, () => style.dim),
    ...rows.flatMap((row) => show(row, (column) => column?.paint ?? plain).filter((line) => line !== '')),
  ].join('\n');
}

function arrange(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): readonly Line[] {
  const all = columns.map(({ title }, index) => ({
    index,
    width: Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
  }));
  if (widthOf(all) <= width) return [all];
  const filled = all.filter(({ index }) => rows.some((row) => (row[index] ?? '') !== ''));
  const isFlexible = ({ index }: Line[number]) => columns[index]?.flexible === true;
  const flexible = filled.find(isFlexible);
  const rest = width - widthOf(filled) + (flexible?.width ?? 0);
  if (flexible !== undefined && rest >= Math.min(MIN_FLEXIBLE, flexible.width)) {
    return [
      filled.map((column) =>
        column === flexible ? { ...column, width: Math.min(rest, column.width) } : column,
      ),
    ];
  }
  const lines = pack(
    filled.filter((column) => column !== flexible),
    width,
  );
  return flexible === undefined ? lines : withFlexible(lines, flexible, width);
}

/** As many as fit on each line, in their order. */
function pack(columns: Line, width: number): readonly Line[] {
  const lines: Line[number][][] = [];
  for (const column of columns) {
    const last = lines.at(-1);
    const room = lines.length > 1 ? width - INDENT.length : width;
    if (last !== undefined && widthOf([...last, column]) <= room) last.push(column);
    else lines.push([{ ...column, width: Math.min(column.width, width - INDENT.length) }]);
  }
  return lines;
}

/** After the last columns, if they are on a separate line with enough room; else below them. */
function withFlexible(lines: readonly Line[], flexible: Line[number], width: number): readonly Line[] {
  const last = lines.at(-1) ?? [];
  const room = width - INDENT.length - widthOf(last) - GAP;
  if (lines.length > 1 && room >= Math.min(MIN_FLEXIBLE, flexible.width)) {
    return [...lines.slice(0, -1), [...last, { ...flexible, width: Math.min(room, flexible.width) }]];
  }
  return [...lines, [{ ...flexible, width: Math.min(flexible.width, width - INDENT.length) }]];
}

function widthOf(line: Line): number {
  return line.reduce((sum, { width }) => sum + width, GAP * Math.max(0, line.length - 1));
}

function plain(text: string): string {
  return text;
}
