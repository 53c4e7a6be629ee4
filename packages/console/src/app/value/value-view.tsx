import { type JsonObject, type JsonValue, replacementIn } from '@proffer/core/json';
import { Marked } from '../text/marked.js';
import { memo } from '../text/memo.js';
import { count } from '../text/words.js';
import { DiffView } from './diff-view.js';
import { entriesOf } from './entries.js';
import { languageOfName } from './language.js';
import { LongText } from './long-text.js';
import { Pieces } from './pieces.js';
import { shapeOf } from './shape.js';

/** The value of an argument, in full, in the most readable form. */
export const ValueView = memo(({ name, value }: { readonly name: string; readonly value: JsonValue }) => {
  const shape = shapeOf(name, value);
  switch (shape.as) {
    case 'line':
      return shape.text === '' ? (
        <span class="dim">empty text</span>
      ) : (
        <span class={shape.isCode ? 'mono' : undefined}>
          <Marked text={shape.text} />
        </span>
      );
    case 'prose':
    case 'code':
      return <LongText text={shape.text} isCode={shape.as === 'code'} language={languageOfName(name)} />;
    case 'edit':
      return <Edit edit={value as JsonObject} />;
    case 'edits':
      return (
        <>
          {shape.edits.map((edit, index) => (
            <Edit key={index} edit={edit} />
          ))}
        </>
      );
    case 'table':
      return <Table columns={shape.columns} rows={shape.rows} />;
    case 'list':
      return <List items={shape.items} />;
    case 'object':
      return shape.entries.length === 0 ? (
        <span class="dim">nothing in it</span>
      ) : (
        <Entries of={shape.entries} />
      );
  }
});

/** Names with their values, one below the other. */
export function Entries({ of }: { readonly of: readonly (readonly [string, JsonValue])[] }) {
  return (
    <dl class="entries">
      {of.map(([key, value]) => (
        <div key={key} class="entry">
          <dt>
            <Marked text={key} />
          </dt>
          <dd>
            <ValueView name={key} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Edit({ edit }: { readonly edit: JsonObject }) {
  const found = replacementIn(edit);
  if (found === undefined) return null;
  const rest = entriesOf(found.rest);
  return (
    <>
      <DiffView before={found.before} after={found.after} />
      {rest.length > 0 && <Entries of={rest} />}
    </>
  );
}

function List({ items }: { readonly items: readonly JsonValue[] }) {
  if (items.length === 0) return <span class="dim">empty list</span>;
  return (
    <Pieces
      of={items}
      draw={(some, from) => (
        <ol class="items" start={from}>
          {some.map((item, index) => (
            <li key={index}>
              <ValueView name="" value={item} />
            </li>
          ))}
        </ol>
      )}
    />
  );
}

interface TableProps {
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
}

function Table({ columns, rows }: TableProps) {
  return (
    <Pieces of={rows} draw={(some, from) => <Rows columns={columns} rows={some} all={rows} from={from} />} />
  );
}

interface RowsProps extends TableProps {
  readonly all: readonly JsonObject[];
  readonly from: number;
}

/** Some rows of a table. All pieces have the same column widths. */
function Rows({ columns, rows, all, from }: RowsProps) {
  const isPart = rows.length < all.length;
  return (
    <table class={isPart ? 'table part' : 'table'}>
      <caption class="sr">
        {isPart ? `Rows ${from + 1} to ${from + rows.length} of ${all.length}` : count(rows.length, 'row')}
      </caption>
      <thead class={from > 0 ? 'sr' : undefined}>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" class={typeof all[0]?.[column] === 'number' ? 'number' : undefined}>
              <Marked text={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column} class={typeof row[column] === 'number' ? 'number' : undefined}>
                <Cell value={row[column]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ value }: { readonly value: JsonValue | undefined }) {
  if (value === undefined) return <span class="dim">–</span>;
  return <Marked text={typeof value === 'string' ? value : JSON.stringify(value)} />;
}
