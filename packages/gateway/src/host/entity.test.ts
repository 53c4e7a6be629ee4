import { createMemoryJournal, type Journal } from '@proffer/journal';
import { describe, expect, it } from 'vitest';
import { createGate, type Gate, journalWith } from '../testing/journals.js';
import { Entity } from './entity.js';
import { list } from './testing/list.js';

function listOn(journal: Journal) {
  const entity = new Entity({ journal, stream: 'space/list', decider: list });
  return { entity, add: (name: string) => entity.submit(name, () => undefined) };
}

/** A journal whose appends each wait for a gate, and the gates in call order. */
function slowJournal(journal: Journal): { readonly slow: Journal; readonly gates: Gate[] } {
  const gates: Gate[] = [];
  const slow = journalWith(journal, {
    append: async (...call) => {
      const gate = createGate();
      gates.push(gate);
      await gate.opened;
      return await journal.append(...call);
    },
  });
  return { slow, gates };
}

describe('entity', () => {
  it('I-1: decides on pending appends, shows only what is durable, and appends the rest in one', async () => {
    const { slow, gates } = slowJournal(createMemoryJournal());
    const { entity, add } = listOn(slow);
    const sent = ['a', 'b', 'c'].map(add);
    const again = add('a');
    expect(entity.state).toEqual([]);
    expect(gates).toHaveLength(1);
    gates[0]?.open();
    expect(await sent[0]).toMatchObject({ status: 'accepted', records: [{ version: 1 }] });
    expect(await again).toMatchObject({ status: 'duplicate' });
    expect(entity.state).toEqual(['a']);
    expect(gates).toHaveLength(2);
    gates[1]?.open();
    expect(await Promise.all(sent.slice(1))).toMatchObject([
      { status: 'accepted', records: [{ version: 2 }] },
      { status: 'accepted', records: [{ version: 3 }] },
    ]);
    expect(entity.state).toEqual(['a', 'b', 'c']);
  });

  it('I-2: lets an acknowledged sender continue at once, after those already waiting', async () => {
    const { slow, gates } = slowJournal(createMemoryJournal());
    const { entity, add } = listOn(slow);
    let next: Promise<unknown> | undefined;
    entity.submitThen(
      'a',
      () => undefined,
      () => {
        next = add('c');
      },
    );
    const waiting = add('b');
    for (const index of [0, 1, 2]) {
      gates[index]?.open();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await waiting).toMatchObject({ status: 'accepted', records: [{ version: 2 }] });
    expect(await next).toMatchObject({ status: 'accepted', records: [{ version: 3 }] });
    expect(gates).toHaveLength(3);
    expect(entity.state).toEqual(['a', 'b', 'c']);
  });

  it('N-6: decides again when the feed delivers what was missing', async () => {
    const journal = createMemoryJournal();
    const here = listOn(
      journalWith(journal, {
        async head(...asked) {
          for await (const record of journal.feed('space', 0, { follow: false }))
            here.entity.fold(record as never);
          return await journal.head(...asked);
        },
      }),
    );
    await listOn(journal).add('a');
    expect(await here.add('a+')).toMatchObject({ status: 'accepted', records: [{ version: 2 }] });
  });

  it('I-2: appends nothing to a state other than the one it was decided on, whoever else writes', async () => {
    const journal = createMemoryJournal();
    const { slow, gates } = slowJournal(journal);
    const here = listOn(slow);
    const there = listOn(journal);
    const first = here.add('a');
    const second = here.add('b');
    expect(await there.add('end')).toMatchObject({ status: 'accepted' });
    gates[0]?.open();
    expect(await Promise.all([first, second])).toMatchObject([{ status: 'refused' }, { status: 'refused' }]);
    expect(here.entity.state).toEqual(['end']);
    expect((await journal.head('space/list')).version).toBe(1);
  });

  it('I-5: rolls back what the journal refused, and decides again what was built on it', async () => {
    const journal = createMemoryJournal();
    let isBroken = true;
    const gate = createGate();
    const failing = journalWith(journal, {
      append: async (...call) => {
        if (!isBroken) return await journal.append(...call);
        await gate.opened;
        isBroken = false;
        const refusal = { code: 'unavailable', message: 'No.', details: {} } as const;
        return { status: 'unavailable', refusal };
      },
    });
    const { entity, add } = listOn(failing);
    const sent = ['a', 'b'].map(add);
    const duplicate = add('a');
    gate.open();
    expect(await sent[0]).toMatchObject({ status: 'refused', refusal: { code: 'unavailable' } });
    expect(await sent[1]).toMatchObject({ status: 'accepted' });
    // What it repeated did not happen, so it is the first.
    expect(await duplicate).toMatchObject({ status: 'accepted' });
    expect([...entity.state].sort()).toEqual(['a', 'b']);
  });

  it('I-1, N-4: refuses nothing because of uncertain state', async () => {
    const journal = createMemoryJournal();
    const { slow, gates } = slowJournal(journal);
    const { add } = listOn(slow);
    const end = add('end');
    const told: unknown[] = [];
    const late = add('a');
    void late.then((outcome) => told.push(outcome));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    gates[0]?.open();
    expect(await end).toMatchObject({ status: 'accepted' });
    expect(await late).toMatchObject({ status: 'refused', state: ['end'] });
  });

  it('I-1, N-4: accepts what only a failed append forbade', async () => {
    const journal = createMemoryJournal();
    const gate = createGate();
    let isBroken = true;
    const failing = journalWith(journal, {
      append: async (...call) => {
        if (!isBroken) return await journal.append(...call);
        await gate.opened;
        isBroken = false;
        return { status: 'unavailable', refusal: { code: 'unavailable', message: 'No.', details: {} } };
      },
    });
    const { entity, add } = listOn(failing);
    const end = add('end');
    const late = add('a');
    gate.open();
    expect(await end).toMatchObject({ status: 'refused', refusal: { code: 'unavailable' } });
    expect(await late).toMatchObject({ status: 'accepted' });
    expect(entity.state).toEqual(['a']);
  });

  it('applies what others wrote before it refuses', async () => {
    const journal = createMemoryJournal();
    const here = listOn(journal);
    const there = listOn(journal);
    await here.add('a');
    await there.add('a');
    await there.add('b');
    expect(await here.add('b+')).toMatchObject({ status: 'accepted' });
    expect(await there.add('c+')).toMatchObject({ status: 'refused' });
    expect(there.entity.state).toEqual(['a', 'b', 'b+']);
  });
});
