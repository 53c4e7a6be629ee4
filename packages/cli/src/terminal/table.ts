import type { Shell } from './shell.js';
import type { Style } from './style.js';
import { displayWidth, fit, pad } from './width.js';

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Takes what room is left and is shortened to it; at most one column. */
  readonly flexible?: boolean;
  readonly paint?: (text: string) => string;
}

/** Columns that a table may take: those of the terminal; any number where nobody's terminal cuts them. */
export function tableWidth({ stdout, width }: Pick<Shell, 'stdout' | 'width'>): number {
  return stdout.isTTY === true ? width : Number.POSITIVE_INFINITY;
}

/**
 * Rows below their titles, each column as wide as its widest cell. Cells are plain visible text; the
 * colours come from the columns, so that what was shortened keeps them whole.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, style }: { readonly width: number; readonly style: Style },
): string {
  const widths = columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(row[index] ?? ''))),
  );
  const flexible = columns.findIndex((column) => column.flexible === true);
  const natural = widths.reduce((sum, one) => sum + one, 2 * (columns.length - 1));
  if (flexible !== -1 && natural > width) {
    widths[flexible] = Math.max(12, (widths[flexible] ?? 0) - (natural - width));
  }
  const line = (cells: readonly string[], paint: (column: Column) => (text: string) => string) =>
    columns
      .map((column, index) => {
        const room = widths[index] ?? 0;
        const cell = fit(cells[index] ?? '', room);
        const filled = index === columns.length - 1 ? cell : pad(cell, room);
        return paint(column)(filled);
      })
      .join('  ')
      .trimEnd();
  const head = line(
    columns.map(({ title }) => title),
    () => style.dim,
  );
  return [head, ...rows.map((row) => line(row, (column) => column.paint ?? plain))].join('\n');
}

function plain(text: string): string {
  return text;
}
