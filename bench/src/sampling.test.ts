import { expect, it } from 'vitest';
import { costs, sampleInTurns, speeds } from './sampling.js';

it('runs the variants in rotation, starts each round with a different one, and drops the warm-up', () => {
  const order: string[] = [];
  const variant = (name: string) => ({
    parameters: { name },
    round: (time: (what: string, operations: number, work: () => void) => void) =>
      time('work', 1, () => order.push(name)),
  });
  const series = sampleInTurns([variant('a'), variant('b')], { warmUp: 1, counted: 2 });
  expect(order.join('')).toBe('abbaab');
  expect(series.map(({ parameters, nanoseconds }) => [parameters['name'], nanoseconds.length])).toEqual([
    ['a', 2],
    ['b', 2],
  ]);
});

const series = [
  { name: 'work', parameters: { size: 1 }, nanoseconds: [100, 200, 400] },
  { name: 'work', parameters: { size: 2 }, nanoseconds: [200, 400, 1200] },
];

it('compares costs with the first variant round by round, so that slow moments cancel out', () => {
  const [first, second] = costs(series, 'ns/message');
  expect(first).toMatchObject({ value: 200, unit: 'ns/message' });
  expect(first?.ratio).toBeUndefined();
  expect(second).toMatchObject({ value: 400, ratio: { value: 2, to: { size: 1 } } });
});

it('converts costs to rates', () => {
  const [first, second] = speeds(series, 'MB/s', 0.5);
  expect(first?.value).toBe(2_500_000);
  expect(second?.ratio?.value).toBe(0.5);
});
