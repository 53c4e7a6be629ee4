import { expect, it } from 'vitest';
import { BENCHMARKS, choose, listing } from './registry.js';

const some = ['core/reading', 'core/replay', 'coretex/other'].map((name) => ({
  name,
  about: `about ${name}`,
  measure: () => [],
}));
const namesOf = (names: readonly string[]) => choose(names, some).chosen?.map(({ name }) => name);

it('selects a group or a single benchmark, each once and in order, and everything if no name is given', () => {
  expect(namesOf(['core'])).toEqual(['core/reading', 'core/replay']);
  expect(namesOf(['core/replay', 'core/reading', 'core'])).toEqual(['core/reading', 'core/replay']);
  expect(namesOf([])).toEqual(some.map(({ name }) => name));
});

it('reports an unknown name and lists the known ones', () => {
  expect(choose(['core', 'cor'], some)).toEqual({ unknown: 'cor' });
  for (const { name, about } of some) expect(listing(some)).toContain(`${name.padEnd(13)}  ${about}`);
});

it('has unique names of the form GROUP/NAME', () => {
  const names = BENCHMARKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+\/[a-z-]+$/);
});
