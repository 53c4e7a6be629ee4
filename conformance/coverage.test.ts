import { describe, expect, it } from 'vitest';
import { type Clause, clauses } from './clauses.js';
import { missingCitations, unknownCitations } from './coverage.js';
import { sourceFiles } from './repository.js';
import { type TestTitle, titlesIn } from './test-titles.js';

const titles = sourceFiles()
  .filter(({ path }) => path.endsWith('.test.ts') || path.endsWith('.test.tsx'))
  .flatMap((file) => titlesIn(file));

function lines(problems: readonly string[]): string {
  return problems.join('\n');
}

/** The packages, or folders of one (`gateway/grpc`), that must cover clauses and exist. */
function rooms(): readonly string[] {
  const named = new Set(clauses.flatMap(({ packages }) => packages));
  const files = sourceFiles();
  return [...named].filter((room) => files.some(({ path }) => path.startsWith(folderOf(room))));
}

function folderOf(room: string): string {
  const [name = '', ...folder] = room.split('/');
  return `packages/${[name, 'src', ...folder].join('/')}/`;
}

function clause(number: number): string {
  return `O-${number}`;
}

function read(text: string): readonly TestTitle[] {
  return titlesIn({ path: 'sample.test.ts', text });
}

describe('clauses', () => {
  it('have unique ids, in order and without gaps', () => {
    for (const [letter, count] of [
      ['O', 54],
      ['N', 32],
      ['I', 12],
    ] as const) {
      const ids = clauses.map(({ id }) => id).filter((id) => id.startsWith(letter));
      expect(ids).toEqual(Array.from({ length: count }, (_, index) => `${letter}-${index + 1}`));
    }
  });

  it.each(rooms())('required of %s are cited in the titles of its tests', (room) => {
    const own = titles.filter(({ place }) => place.startsWith(folderOf(room)));
    expect(lines(missingCitations(clauses, room, own))).toBe('');
  });

  it('cited in titles exist', () => {
    expect(lines(unknownCitations(clauses, titles))).toBe('');
  });
});

describe('title reader', () => {
  it.each([
    ['a string', `it('${clause(1)}: text', () => {});`],
    ['a template', `it(\`${clause(1)}: \${value}\`, () => {});`],
    ['a concatenation', `it('${clause(1)}: ' + value, () => {});`],
    ['describe', `describe('${clause(1)}', () => {});`],
    ['each', `test.each<number>([1, 2])('${clause(1)}: %s', (x: number) => {});`],
    ['a table', `it.each([{ title: '${clause(1)}', found: 1 }])('$title', () => {});`],
    ['a tagged table', `it.each\`a\n\${1}\`('${clause(1)}: $a', () => {});`],
    ['options', `it.concurrent('${clause(1)}', { timeout: 5 }, async () => {});`],
  ])('finds the citation in %s', (_form, text) => {
    const known: readonly Clause[] = [{ id: clause(1), packages: ['core'], text: 'Rule.' }];
    expect(missingCitations(known, 'core', read(text))).toEqual([]);
    expect(unknownCitations([], read(text))).toHaveLength(1);
  });

  it('ignores comments and bodies', () => {
    const known: readonly Clause[] = [{ id: clause(1), packages: ['core', 'gateway'], text: 'Rule.' }];
    const text = `// ${clause(1)}\nit('works', () => { expect('${clause(1)}').toBe(1); });`;
    expect(missingCitations(known, 'core', read(text))).toEqual([
      `core: no test title cites ${clause(1)} (Rule.)`,
    ]);
    expect(missingCitations(known, 'client', read(text))).toEqual([]);
  });

  it('reports where an unknown clause is cited', () => {
    const found = unknownCitations([], read(`\n\nit('${clause(99)}: text', () => {});`));
    expect(found).toEqual([`sample.test.ts:3: there is no clause ${clause(99)} ("${clause(99)}: text")`]);
  });
});
