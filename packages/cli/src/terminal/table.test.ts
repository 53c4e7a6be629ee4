import { describe, expect, it } from 'vitest';
import { createStyle } from './shell.js';
import { formatTable } from './table.js';
import { displayWidth } from './visible.js';

const COLUMNS = [
  { title: 'ID' },
  { title: 'FROM' },
  { title: 'WHAT' },
  { title: 'ARGUMENTS', flexible: true },
  { title: 'AGE' },
  { title: 'EXPIRES' },
  { title: 'SAID' },
];
const ID = 'p-pnq6g-86ae3';
const ROW = [
  ID,
  'agent',
  'write_note',
  'title="hello" content="a longer text that goes on and on" z=1',
  '3.3 s',
  'never',
  '',
];
const style = createStyle(false);
const table = (width: number, rows = [ROW]) => formatTable(COLUMNS, rows, { width, style });

describe('table', () => {
  it('is not padded when piped: one long cell makes one long row', () => {
    const rows = [ROW, ROW.with(3, 'x'.repeat(8_000)), ROW];
    const lines = table(Number.POSITIVE_INFINITY, rows).split('\n');
    expect(lines).toEqual([
      'ID  FROM  WHAT  ARGUMENTS  AGE  EXPIRES  SAID',
      ...rows.map((row) => row.join('  ').trimEnd()),
    ]);
  });

  it('has every column on one line if there is room', () => {
    expect(table(1_000).split('\n')).toEqual([
      expect.stringMatching(/^ID +FROM +WHAT +ARGUMENTS +AGE +EXPIRES +SAID$/),
      expect.stringMatching(/^p-pnq6g-86ae3 +agent +write_note +title="hello" .* z=1 +3\.3 s +never$/),
    ]);
  });

  it('gives the arguments the remaining width, and marks the cut', () => {
    const [head = '', row = ''] = table(80).split('\n');
    expect(head).not.toContain('SAID');
    expect(row).toMatch(/^p-pnq6g-86ae3 +agent +write_note +title="hello" content="a long… +3\.3 s +never$/);
    expect(displayWidth(head)).toBe(80);
  });

  it.each([40, 50, 60, 79, 80, 100])(
    'keeps ids whole within %s columns, and the arguments readable',
    (width) => {
      const long = [
        '0b1e5c2a-9d1f-4d0e-8a7c-2f',
        'somebody-else',
        'a_tool_with_a_long_name',
        'q=1',
        '1 h',
        'in 2 m',
        'x: no',
      ];
      const lines = table(width, [ROW, long]).split('\n');
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const shown = lines.join('\n');
      for (const id of [ID, '0b1e5c2a-9d1f-4d0e-8a7c-2f']) expect(shown).toContain(id);
      expect(shown).toContain('title="hello" content=');
      expect(shown).toContain('q=1');
      expect(shown).toContain('x: no');
    },
  );

  it('does not cut an id that is wider than the terminal', () => {
    const id = 'x'.repeat(60);
    expect(table(40, [[id, ...ROW.slice(1)]])).toContain(id);
  });
});
