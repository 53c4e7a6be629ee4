import { describe, expect, it } from 'vitest';
import {
  createReport,
  nearest,
  parseYamlTree,
  problemLines,
  reportUnknownKeys,
  treeToJson,
  type YamlStyle,
} from './index.js';

const STRICT: YamlStyle = { what: 'the paint', aliases: 'refused', values: 'json' };
const LOOSE: YamlStyle = { what: 'the paint', aliases: 'resolved', values: 'text' };

function read(text: string, style: YamlStyle = STRICT) {
  const { problems, report } = createReport();
  const tree = parseYamlTree(text, 'paint.yaml', report, style);
  return { problems, tree, lines: problemLines(problems) };
}

describe('reading a file', () => {
  it('gives data in which every value knows its position', () => {
    const { tree } = read('coats:\n  - { colour: red, layers: 2 }\n  - null\nwet: "true"\n');
    if (tree?.kind !== 'map') throw new Error('no section');
    expect(treeToJson(tree)).toEqual({ coats: [{ colour: 'red', layers: 2 }, null], wet: 'true' });
    expect(tree.entries.get('wet')).toMatchObject({
      keyAt: { line: 4, column: 1 },
      value: { text: 'true', plain: false, value: 'true', at: { source: 'paint.yaml', line: 4, column: 6 } },
    });
  });

  it('reports wrong indentation at its line, with an excerpt that hides values', () => {
    const beside = read('coats:\n  - colour: secret\n   layers: 2\n');
    expect(beside.lines).toBe(
      [
        'paint.yaml:3:4: Wrong indentation: all keys of a list item must start in the same column as its first key, after the dash.',
        '  2 |   - colour: …',
        '  3 |    layers: …',
        '    |    ^',
      ].join('\n'),
    );
    const deeper = read('a: 1\nb: secret\n    c: secret\n');
    expect(deeper.lines).toBe(
      [
        'paint.yaml:3:5: Wrong indentation: this line is indented further than the one before it, which already has a value.',
        '  2 | b: …',
        '  3 |     c: …',
        '    |     ^',
      ].join('\n'),
    );
    const hidden = read('a: 1\nb: "x" secret\n');
    expect(hidden.lines).toContain('paint.yaml:2:8: ');
    expect(hidden.lines).toContain('  2 | b: …\n    |    ^');
    const shallow = read('a:\n    b: 1\n  secret text\n c: [secret]\n');
    expect(shallow.lines).toContain('indentation');
    expect(shallow.lines).not.toContain('secret');
  });

  it('reports an unknown key and suggests the one probably meant', () => {
    const { problems, report } = createReport();
    const tree = parseYamlTree('colour: red', 'paint.yaml', report, STRICT);
    if (tree?.kind === 'map') reportUnknownKeys(tree, [], report, { keys: ['color'], whole: 'A paint' });
    expect(problemLines(problems)).toBe(
      'paint.yaml:1:1: colour: Unknown key "colour". A paint has color. Did you mean color?',
    );
  });

  it.each([
    ['a: 1\na: 2', '2:1: Duplicate key, first used on line 1; remove one of them.'],
    ['{ a: 1, "a": 2 }', '1:9: Duplicate key'],
    ['- b:\n    a: 1\n    ? a\n    : 2', '3:7: Duplicate key, first used on line 2'],
    ['a: 1\na: { b: 1, b: 2 }', '2:12: Duplicate key, first used on line 2'],
    ['1: a\n"1": b', '2:1: Duplicate key'],
    ['a: 1\n---\nb: 1', 'the paint in one document'],
    ['a: [1, 2', 'Unclosed bracket before this: ] is missing.'],
    ['a: !secret hunter2', '1:4: Tags'],
    ['a: &x 1\nb: *x', '2:4: Aliases (`*name`) are not supported here'],
    ['a: *', 'must be quoted'],
    ['a: .inf', '1:4: This value cannot be written as JSON'],
    ['a: "\\ud800"', '1:4: This text has an unpaired surrogate'],
    ['['.repeat(65), '1:1: This is nested too deeply: at most 64.'],
    ['x'.repeat(1_048_576 + 1), 'This is too long'],
    [`[${'a,'.repeat(500_000)}]`, '1:1: This is too large: at most 100000 values'],
    ['a: 9007199254740993', '1:4: This integer has too many digits for a number'],
    ['a: 0x20000000000001', '1:4: This integer has too many digits for a number'],
  ])('reports where the problem is, never the value: %.20s', (text, expected) => {
    const { lines } = read(text);
    expect(lines).toContain(expected);
    expect(lines).not.toContain('hunter2');
  });

  it('I-7: takes time linear in the length, however many keys a section has', {
    timeout: 15_000,
  }, () => {
    const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}:\n`);
    const { tree, lines } = read(keys.join(''));
    expect(lines).toBe('');
    expect(tree?.kind === 'map' && tree.entries.size).toBe(50_000);
    expect(read(`${keys.join('')}k7:\n`).lines).toContain(
      'paint.yaml:50001:1: Duplicate key, first used on line 8; remove one of them.',
    );
  });

  it('reports a duplicate key once, even below an alias', () => {
    expect(read('a: &x { b: 1, b: 2 }\nc: *x\nd: *x\n', LOOSE).problems).toHaveLength(1);
  });

  it('accepts integers that a number represents exactly, however large', () => {
    expect(read('a: [9007199254740992, 18446744073709551616, -1, 0x10, 1e30]').lines).toBe('');
  });

  it('accepts aliases and non-JSON values if enabled', () => {
    const { tree, lines } = read('a: &x [.inf, 007]\nb: *x\n', LOOSE);
    expect(lines).toBe('');
    expect(tree?.kind === 'map' && treeToJson(tree)).toEqual({ a: ['.inf', 7], b: ['.inf', 7] });
    expect(read('a: *gone', LOOSE).lines).toContain('has no anchor');
    expect(read('a: &a [*a]', LOOSE).lines).toContain('too large');
  });

  it('sorts problems in file order, environment variables last', () => {
    const { problems, report } = createReport();
    report({ source: '$PAINT', line: 1, column: 1 }, '', 'third');
    report({ source: 'paint.yaml', line: 9, column: 2 }, '', 'second');
    report({ source: 'paint.yaml', line: 9, column: 1 }, 'a.b', 'first');
    expect(problemLines(problems).split('\n')).toEqual([
      'paint.yaml:9:1: a.b: first',
      'paint.yaml:9:2: second',
      '$PAINT:1:1: third',
    ]);
  });
});

describe('suggesting a name', () => {
  it.each([
    ['colour', 'color'],
    ['clor', 'color'],
    ['coolr', 'color'],
    ['COLOR', 'color'],
    ['layer', undefined],
  ])('%s: %s', (found, meant) => {
    expect(nearest(found, ['color', 'width'])).toBe(meant);
  });

  it('requires a close match: at most a third of the word wrong, or the given number of characters', () => {
    expect(nearest('listne', ['listen'])).toBe('listen');
    expect(nearest('lxxten', ['listen'], 1)).toBeUndefined();
  });
});
