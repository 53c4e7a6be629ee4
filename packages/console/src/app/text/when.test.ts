import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { momentOf, relative } from './words.js';

const NOW = new Date(2026, 2, 10, 12).getTime();
const MINUTE = 60_000;

it.each([
  [0, '0 s ago'],
  [-4 * MINUTE, '4 min ago'],
  [-60 * 60 * MINUTE, '2 days ago'],
  [3 * 60 * MINUTE, 'in 3 h'],
])('a moment %d ms from now is %s', (from, expected) => {
  expect(relative(NOW + from, NOW)).toBe(expected);
});

it('inside a sentence, a moment of another day has its date', () => {
  expect(momentOf(NOW + MINUTE, NOW)).not.toContain('2026');
  expect(momentOf(NOW + 24 * 60 * MINUTE, NOW)).toContain('2026');
});

it('all views write moments in one form, with date and time as the title', () => {
  const app = fileURLToPath(new URL('..', import.meta.url));
  const own = readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|text[\\/](?:when\.tsx|words\.ts)$/.test(file))
    .filter((file) =>
      /<time\b|\bago\b[^.]*[`<]|toLocaleTime/.test(withoutComments(readFileSync(`${app}${file}`, 'utf8'))),
    );
  expect(own).toEqual([]);
});

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
