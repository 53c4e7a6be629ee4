import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const folder = new URL('../docs/decisions/', import.meta.url);
const files = readdirSync(folder).filter((name) => name !== 'README.md');

describe('the decisions', () => {
  it('have a number each, and a name that says what was decided', () => {
    for (const file of files) expect(file).toMatch(/^\d{4}-[a-z0-9-]+\.md$/);
    const numbers = files.map((file) => file.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('are all in the index', () => {
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    for (const file of files) expect(index).toContain(`](${file})`);
  });
});
