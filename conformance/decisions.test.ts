import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clauses } from './clauses.js';
import { pages, type SourceFile, sourceFiles } from './repository.js';

const folder = new URL('../docs/decisions/', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted();

/** In this order; only the alternatives may be missing. Figures belong into `bench/RESULTS.md`. */
const SECTIONS = ['Context', 'Decision', 'Consequences', 'Alternatives'];

const numberOf = (file: string) => file.slice(0, 4);

/** The decisions that a text cites: `decision 0012`, or the name of a file. */
function citedIn(text: string): readonly string[] {
  const numbers = Array.from(text.matchAll(/\bdecisions?\s+(\d{4})\b/gi), ([, number = '']) => number);
  const names = Array.from(
    text.matchAll(/\bdecisions\/(\d{4}[a-z0-9-]*(?:\.md)?)/g),
    ([, name = '']) => name,
  );
  return [...numbers, ...names];
}

describe('decisions', () => {
  it('are numbered from 0001 without gaps, and have a descriptive name', () => {
    for (const file of files) expect(file).toMatch(/^\d{4}(?:-[a-z0-9]+)+\.md$/);
    expect(files.map(numberOf)).toEqual(files.map((_, index) => String(index + 1).padStart(4, '0')));
  });

  it('have the same sections', () => {
    for (const file of files) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      expect(text.startsWith(`# ${numberOf(file)}: `), `${file}: its title begins with its number`).toBe(
        true,
      );
      const sections = Array.from(text.matchAll(/^## (.+)$/gm), ([, name = '']) => name);
      expect([file, ...sections]).toEqual([
        file,
        ...SECTIONS.filter((name) => name !== 'Alternatives' || sections.includes(name)),
      ]);
    }
  });

  it('are all listed in the index, by their titles', () => {
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    for (const file of files) {
      const [, title] = /^# \d{4}: (.+)$/m.exec(readFileSync(new URL(file, folder), 'utf8')) ?? [];
      expect(index).toContain(`| ${numberOf(file)} | [${title}](${file}) |`);
    }
  });

  it('exist if code, comments or documentation cite them', () => {
    const known = new Set([...files, ...files.map(numberOf)]);
    const missing = ({ path, text }: SourceFile) =>
      citedIn(text)
        .filter((cited) => !known.has(cited))
        .map((cited) => `${path}: ${cited}`);
    const rules = clauses.map(({ id, text }) => ({ path: id, text }));
    expect([...pages(), ...sourceFiles(), ...rules].flatMap(missing)).toEqual([]);
  });
});
