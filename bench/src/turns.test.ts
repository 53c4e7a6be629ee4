import { expect, it } from 'vitest';
import { compareWithBounds, compareWithFirst, quotients } from './comparison.js';
import { measureInTurns, roundsFor } from './turns.js';

it('runs contestants in rotation, starts each round with a different one, and drops the warm-up', async () => {
  const order: string[] = [];
  const contestant = (name: string, value: number) => ({
    parameters: { name },
    round: async () => {
      order.push(name);
      await Promise.resolve();
      return [
        { name: 'speed', unit: '/s', value },
        { name: `only ${name}`, unit: 'ms', value },
      ];
    },
  });
  const contestants = [contestant('a', 2), contestant('b', 6)];
  const samples = await measureInTurns(contestants, { warmUp: 1, counted: 2 });
  expect(order.join('')).toBe('abbaab');
  expect(samples.map(({ name, samples: taken }) => [name, ...taken])).toEqual([
    ['speed', 2, 2],
    ['speed', 6, 6],
    ['only a', 2, 2],
    ['only b', 6, 6],
  ]);
  const ratios = compareWithFirst(samples).map(({ ratio }) => ratio?.value);
  expect(ratios).toEqual([undefined, 3, undefined, undefined]);
});

it('divides as many samples as both have', () => {
  expect(quotients([4, 9, 1], [2, 3])).toEqual([2, 3]);
});

it('compares a server with bounds round by round, for the figures both have', () => {
  const figure = (server: string, unit: string, ...samples: readonly number[]) => ({
    name: `in ${unit}`,
    unit,
    parameters: { server },
    samples,
  });
  const all = [
    figure('plain', '/s', 1, 1),
    figure('bound', '/s', 8, 10),
    figure('ours', '/s', 4, 2),
    figure('ours', 'ns', 7, 7),
  ];
  const figures = { '/s': 'speed', ns: 'CPU' };
  const found = compareWithBounds(all, { ours: 'ours', bounds: ['bound'], figures, label: '2 at once' });
  expect(found).toEqual([
    {
      name: 'speed vs. bound, 2 at once',
      unit: '× bound',
      parameters: { server: 'ours' },
      samples: [0.5, 0.2],
    },
  ]);
});

it('never runs more rounds than asked for', () => {
  const full = { warmUp: 2, counted: 7 };
  expect(roundsFor({ quick: false, smoke: false }, full)).toEqual(full);
  expect(roundsFor({ quick: true, smoke: false }, full)).toEqual({ warmUp: 1, counted: 2 });
  expect(roundsFor({ quick: true, smoke: false }, { warmUp: 0, counted: 1 })).toEqual({
    warmUp: 0,
    counted: 1,
  });
  expect(roundsFor({ quick: true, smoke: true }, full)).toEqual({ warmUp: 0, counted: 1 });
});
