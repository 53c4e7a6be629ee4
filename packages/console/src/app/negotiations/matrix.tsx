import type { ComponentChildren } from 'preact';
import { plainLine } from '../text/marked.js';

interface MatrixProps<Row> {
  /** What it shows, for screen readers: one scrolls in it with the keyboard. */
  readonly label: string;
  /** The heading above the names of the rows. */
  readonly corner: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly head: (row: Row) => ComponentChildren;
  readonly cell: (row: Row, column: string, place: number) => ComponentChildren;
}

/**
 * A table with a heading for each row and each column. On a narrow screen it scrolls sideways; with sentences in it, one row
 * follows another instead, and each cell says its column.
 */
export function Matrix<Row>({ label, corner, columns, rows, rowKey, head, cell }: MatrixProps<Row>) {
  return (
    <div class="matrix" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{corner}</th>
            {columns.map((name) => (
              <th key={name} scope="col">
                {plainLine(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <th scope="row">{head(row)}</th>
              {columns.map((name, place) => (
                <td key={name} data-column={plainLine(name)}>
                  {cell(row, name, place)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
