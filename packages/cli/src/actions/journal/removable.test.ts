import type { RecordContent } from '@proffer/core/records';
import { createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { countRemovable, removeFrom } from './compact.js';

const record = (type: string, proposal: string, facts: object = {}): RecordContent => ({
  type,
  time: 1_000,
  principal: 'agent',
  envelope: { id: `${type}-${proposal}`, kind: 'x.y', payload: {} },
  facts: { proposal, ...facts },
});
const waiting = { dependencies: { waitsFor: ['first'] } };

it('O-37: keeps unfinished dependencies of a proposal, since no gateway has looked at them yet', async () => {
  const journal = createMemoryJournal();
  await journal.append('main/proposal/first', 0, [record('proposed', 'first'), record('answered', 'first')]);
  await journal.append('main/proposal/second', 0, [record('proposed', 'second', waiting)]);
  expect(await countRemovable(journal, 2_000)).toEqual({ proposals: 0, sessions: 0, records: 0 });
  expect(await removeFrom(journal, 2_000)).toEqual({ proposals: 0, sessions: 0, records: 0 });
  await journal.append('main/proposal/second', 1, [record('withdrawn', 'second')]);
  expect(await removeFrom(journal, 2_000)).toEqual({ proposals: 2, sessions: 0, records: 4 });
});
