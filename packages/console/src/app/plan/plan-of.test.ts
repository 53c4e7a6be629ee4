import type { Proposal } from '@proffer/core/operations';
import { expect, it } from 'vitest';
import { planAt, planId, planOf } from './plan-of.js';

const proposal = (id: string, waitsFor: readonly string[] = [], more: Partial<Proposal> = {}): Proposal =>
  ({
    id,
    phase: 'pending',
    proposedAt: Number(id.slice(1)),
    dependencies: { waitsFor, onFailure: 'decline', failed: [] },
    ...more,
  }) as Proposal;

const stepsOf = (of: Proposal, all: readonly Proposal[]) =>
  planOf(of, all).map(({ proposal: { id }, after }) => [id, after]);

it('O-37: orders a plan by what waits for what, wherever one begins', () => {
  const [first, second, third, alone] = [
    proposal('p1'),
    proposal('p2', ['p1']),
    proposal('p3', ['p1', 'p2']),
    proposal('p4'),
  ];
  const all = [alone, third, second, first];
  for (const each of [first, second, third])
    expect(stepsOf(each, all)).toEqual([
      ['p1', []],
      ['p2', [1]],
      ['p3', [1, 2]],
    ]);
  expect(stepsOf(alone, all)).toEqual([]);
});

it('O-37: leaves out what is done, and a dependency that is not visible', () => {
  const done = proposal('p1', [], { phase: 'settled' });
  const running = proposal('p2', [], { phase: 'fulfilled' });
  const last = proposal('p3', ['p1', 'p2', 'hidden']);
  expect(stepsOf(last, [done, running, last])).toEqual([
    ['p2', []],
    ['p3', [1]],
  ]);
});

it('has an address of its own', () => {
  expect(planAt(planId('p1'))).toBe('p1');
  expect(planAt('p1')).toBeUndefined();
  expect(planAt(undefined)).toBeUndefined();
});
