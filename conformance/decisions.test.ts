import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../docs/decisions/', import.meta.url);
const files = readdirSync(folder).filter((name) => name !== 'README.md');

/** In this order; a context and a decision are required. */
const SECTIONS = [
  'Context',
  'Measurements',
  'Decision',
  'Consequences',
  'Alternatives',
  'Open',
  'Amendments',
];

describe('decisions', () => {
  it('have a number and a descriptive name', () => {
    for (const file of files) expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
    const numbers = files.map((file) => file.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('have the same sections', () => {
    for (const file of files) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      expect(text.startsWith(`# ${file.slice(0, 4)}: `), `${file}: its title begins with its number`).toBe(
        true,
      );
      const sections = Array.from(text.matchAll(/^## (.+)$/gm), ([, name = '']) => name);
      expect([file, ...sections]).toEqual([file, ...SECTIONS.filter((name) => sections.includes(name))]);
      expect([file, ...sections]).toEqual(expect.arrayContaining([file, 'Context', 'Decision']));
    }
  });

  it('are all listed in the index', () => {
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    for (const file of files) expect(index).toContain(`](${file})`);
  });
});
