import { expect, it } from 'vitest';
import { inTurns } from './in-turns.js';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

it('handles a few at once, before it returns', async () => {
  const done: number[] = [];
  const all = inTurns(numbers(30), (number) => done.push(number));
  expect(done).toEqual(numbers(30));
  await all;
});

it('I-7: yields to others between many, and handles each once, in order', async () => {
  const done: number[] = [];
  const seenByOthers = new Set<number>();
  const look = (): void => {
    seenByOthers.add(done.length);
    if (done.length < 2000) setImmediate(look);
  };
  setImmediate(look);
  await inTurns(numbers(2000), (number) => done.push(number));
  expect(done).toEqual(numbers(2000));
  expect(seenByOthers.size).toBeGreaterThan(5);
});
