import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { appendOne, eachAppend, journalWith } from '../testing/journals.js';
import { Entity } from './entity.js';
import { flushTogether } from './flush-policy.js';
import { list } from './testing/list.js';

/** Lists whose appends leave together, and what their journal has received so far. */
function listsOn(journal: Journal) {
  const flushPolicy = flushTogether();
  const appended: { readonly stream: string; readonly names: readonly unknown[] }[] = [];
  const faults: unknown[] = [];
  const watching = eachAppend((append, settle) => {
    appended.push({
      stream: append.stream,
      names: append.records.map(({ facts }) => facts?.['name']),
    });
    appendOne(journal, append, settle);
  });
  const watched = journalWith(journal, watching);
  const open = (stream: string) => {
    const onFault = (error: unknown): void => void faults.push(error);
    const entity = new Entity({ journal: watched, stream, decider: list, flushPolicy, onFault });
    return { entity, add: (name: string) => entity.submit(name, () => undefined) };
  };
  return { appended, faults, open };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('I-8: appends what is decided in one turn of the event loop together, one append per stream', async () => {
  const { appended, open } = listsOn(createMemoryJournal());
  const [first, second] = [open('space/first'), open('space/second')];
  const sent = [first.add('a'), second.add('b'), first.add('c')];
  await Promise.resolve();
  sent.push(second.add('d'));
  expect(appended).toEqual([]);
  expect(first.entity.isIdle).toBe(false);
  await nextTurn();
  expect(appended).toEqual([
    { stream: 'space/first', names: ['a', 'c'] },
    { stream: 'space/second', names: ['b', 'd'] },
  ]);
  expect(await Promise.all(sent)).toMatchObject([
    { status: 'accepted', records: [{ version: 1 }] },
    { status: 'accepted', records: [{ version: 1 }] },
    { status: 'accepted', records: [{ version: 2 }] },
    { status: 'accepted', records: [{ version: 2 }] },
  ]);
  expect([first.entity.state, second.entity.state]).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ]);
});

it('I-5: a journal that throws blocks nobody else, and its append can be retried', async () => {
  const journal = createMemoryJournal();
  let throwing = true;
  const { faults, open } = listsOn(
    journalWith(
      journal,
      eachAppend((append, settle) => {
        if (throwing && append.stream === 'space/first') throw new Error('broken');
        appendOne(journal, append, settle);
      }),
    ),
  );
  const [first, second] = [open('space/first'), open('space/second')];
  const [lost, kept] = [first.add('a'), second.add('a')];
  expect(await lost).toMatchObject({ status: 'refused', refusal: { code: 'unavailable' } });
  expect(faults).toEqual([new Error('broken')]);
  expect(await kept).toMatchObject({ status: 'accepted' });
  expect(first.entity).toMatchObject({ state: [], isIdle: true });
  throwing = false;
  expect(await first.add('a')).toMatchObject({ status: 'accepted', records: [{ version: 1 }] });
});
