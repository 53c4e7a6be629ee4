import { readProposalView } from '@proffer/core/operations';
import { expect, it } from 'vitest';
import { byDay, dayOf } from './days.js';

const at = (day: number, hour: number): number => new Date(2026, 2, day, hour).getTime();

const changed = (id: string, changedAt: number) =>
  readProposalView({
    id,
    version: 1,
    phase: 'withdrawn',
    proposer: 'agent',
    method: 'tools/call',
    params: {},
    proposedAt: 0,
    changedAt,
    addressees: [],
    rejections: {},
    statuses: {},
  });

it('names days as their reader does', () => {
  const now = at(2, 1);
  expect(dayOf(at(2, 0), now)).toBe('Today');
  expect(dayOf(at(1, 23), now)).toBe('Yesterday');
  // A month may end in between.
  expect(dayOf(new Date(2026, 1, 28, 23).getTime(), now)).toMatch(/2026/);
});

it('lists every proposal once under its day, the newest first, whatever order they come in', () => {
  const given = [changed('old', at(1, 5)), changed('new', at(2, 5)), changed('older', at(1, 4))];
  const lines = byDay(given, at(2, 6)).map((line) =>
    line.type === 'day' ? `${line.title} ${line.size}` : line.proposal.id,
  );
  expect(lines).toEqual(['Today 1', 'new', 'Yesterday 2', 'old', 'older']);
});
