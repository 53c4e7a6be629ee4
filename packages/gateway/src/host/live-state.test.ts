import { type Envelope, refuse } from '@proffer/core';
import { decideInSpace, recallProposal, type StreamAppend, spaceSettings } from '@proffer/core/operations';
import { type AppendOutcome, createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { spaceFold } from '../operations/space-rules.js';
import { appendOne, eachAppend, journalWith, type OneAppend } from '../testing/journals.js';
import { chat, proposal, rejection, withdrawal } from '../testing/messages.js';
import { type FlushPolicy, flushAfterTask, flushNow } from './flush-policy.js';
import { LiveState } from './live-state.js';

const UNAVAILABLE: AppendOutcome = {
  status: 'unavailable',
  refusal: refuse('unavailable', 'The disk is full.'),
};

/** A space whose appends wait until they are released or fail, one after another. */
function createSpace(flushPolicy: FlushPolicy = flushNow) {
  const inner = createMemoryJournal();
  const waiting: OneAppend[] = [];
  const journal = journalWith(
    inner,
    eachAppend((...given) => void waiting.push(given)),
  );
  const space = new LiveState({
    journal,
    fold: spaceFold(spaceSettings({ name: 'main' })),
    flushPolicy,
    onFault: (error) => {
      throw error;
    },
  });
  function decide(message: object): readonly StreamAppend[] {
    const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from: 'agent', ...message };
    const context = { now: 1_000, isPresent: () => true };
    return decideInSpace(space.newest, envelope as Envelope, context).appends ?? [];
  }
  return {
    space,
    inner,
    waiting,
    decide,
    say: (message: object): Promise<readonly AppendOutcome[]> =>
      new Promise((resolve) => space.append(decide(message), ({ outcomes }) => resolve(outcomes))),
    land: (): void => {
      const [append, settle] = waiting.shift() ?? [];
      if (append !== undefined && settle !== undefined) appendOne(inner, append, settle);
    },
    fail: (): void => {
      waiting.shift()?.[1](UNAVAILABLE);
    },
  };
}

const statuses = (outcomes: readonly AppendOutcome[]) => outcomes.map(({ status }) => status);

it('I-1: does not show what was decided on a failed append while others are in flight', async () => {
  const { space, say, land, fail } = createSpace(flushAfterTask);
  const first = say(proposal('p1'));
  const second = say(chat('c1'));
  expect(space.newest.proposals.has('p1')).toBe(true);
  expect(space.durable.proposals.has('p1')).toBe(false);
  // The end of the task: both leave.
  await Promise.resolve();
  fail();
  expect(space.durable.proposals.has('p1')).toBe(false);
  expect(space.isIdle).toBe(false);
  land();
  expect(statuses(await first)).toEqual(['unavailable']);
  expect(statuses(await second)).toEqual(['appended']);
  expect(space.isIdle).toBe(true);
  expect(space.newest.proposals.has('p1')).toBe(false);
  expect(space.durable.participants.get('agent')?.version).toBe(1);
});

it('I-3, I-6: appends everything in the order it was decided, across streams', async () => {
  const { space, say, land, inner } = createSpace(flushAfterTask);
  const ids = ['c1', 'c2', 'p1', 'c3', 'p2', 'p3', 'c4', 'c5'];
  const said = ids.map((id) => say(id.startsWith('c') ? chat(id) : proposal(id)));
  while (!space.isIdle) {
    await new Promise((resolve) => setImmediate(resolve));
    land();
  }
  for (const outcomes of await Promise.all(said)) expect(statuses(outcomes)).toEqual(['appended']);
  const stored: unknown[] = [];
  for await (const { envelope } of inner.feed('main', 0, { follow: false })) stored.push(envelope['id']);
  expect(stored).toEqual(ids);
});

it('I-5: never appends what was decided on something that did not happen', async () => {
  const { space, say, fail, waiting } = createSpace();
  const first = say(proposal('p1'));
  const second = say(chat('c1'));
  const third = say(proposal('p2'));
  fail();
  expect(statuses(await first)).toEqual(['unavailable']);
  expect(await Promise.all([second, third])).toEqual([[], []]);
  expect(waiting).toEqual([]);
  expect(space.newest).toEqual(space.durable);
  expect([...space.newest.proposals.keys()]).toEqual([]);
});

it("I-2: appends nothing to another gateway's writes if it was decided on something else", async () => {
  const { space, say, decide, land, inner, waiting } = createSpace();
  const made = say(proposal('p1'));
  land();
  await made;
  const [elsewhere] = decide(withdrawal('w0', 'p1'));
  const first = say({ ...rejection('r1', 'p1'), from: 'reviewer' });
  const second = say(withdrawal('w1', 'p1'));
  if (elsewhere === undefined) throw new Error('there is nothing to append');
  const { stream, expectedVersion, records } = elsewhere;
  expect((await inner.append(stream, expectedVersion, records)).status).toBe('appended');
  land();
  expect(statuses(await first)).toEqual(['conflict']);
  expect(await second).toEqual([]);
  expect(waiting).toEqual([]);
  expect(space.newest.proposals.get('p1')).toMatchObject({ version: 2, phase: 'withdrawn' });
});

it('O-12: keeps what was recalled during two batches when only the second fails', async () => {
  const { space, say, land, fail } = createSpace();
  const made = say(proposal('p1'));
  const known = space.newest.proposals.get('p1');
  if (known === undefined) throw new Error('p1 is not there');
  space.adjust((state) => recallProposal(state, { ...known, id: 'before' }));
  const lost = say(chat('c1'));
  space.adjust((state) => recallProposal(state, { ...known, id: 'after' }));
  land();
  expect(statuses(await made)).toEqual(['appended']);
  fail();
  expect(statuses(await lost)).toEqual(['unavailable']);
  expect([...space.newest.proposals.keys()]).toEqual(['p1', 'before', 'after']);
  expect(space.newest.participants.size).toBe(0);
});

it('O-12: keeps what was recalled in each of many batches when the last one fails', async () => {
  const { space, say, land, fail } = createSpace();
  const made = say(proposal('p0'));
  const known = space.newest.proposals.get('p0');
  if (known === undefined) throw new Error('p0 is not there');
  for (const batch of [1, 2, 3, 4]) {
    space.adjust((state) => recallProposal(state, { ...known, id: `before${batch}` }));
    void say(proposal(`p${batch}`));
    space.adjust((state) => recallProposal(state, { ...known, id: `after${batch}` }));
    land();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(statuses(await made)).toEqual(['appended']);
  fail();
  await space.idle();
  const brought = [1, 2, 3, 4].flatMap((batch) => [`before${batch}`, `after${batch}`]);
  const ids = ['p0', 'p1', 'p2', 'p3', ...brought];
  expect([...space.newest.proposals.keys()].sort()).toEqual(ids.sort());
});

it('O-12: keeps what was recalled or evicted during an append when it fails', async () => {
  const { space, say, land, fail } = createSpace();
  const made = say(proposal('p1'));
  land();
  await made;
  const known = space.newest.proposals.get('p1');
  if (known === undefined) throw new Error('p1 is not there');
  const lost = say(chat('c1'));
  space.adjust((state) => recallProposal(state, { ...known, id: 'old' }));
  space.adjust((state) => ({ ...state, proposals: state.proposals.delete('p1') }));
  fail();
  await lost;
  expect([...space.newest.proposals.keys()]).toEqual(['old']);
});

it('I-1: treats a journal that throws as one that could not be written', async () => {
  const faults: unknown[] = [];
  const appendAll = (): never => {
    throw new Error('a fault of ours');
  };
  const space = new LiveState({
    journal: journalWith(createMemoryJournal(), { appendAll }),
    fold: spaceFold(spaceSettings({ name: 'main' })),
    onFault: (error) => faults.push(error),
  });
  const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from: 'agent', ...proposal('p1') };
  const context = { now: 1_000, isPresent: () => true };
  const { appends = [] } = decideInSpace(space.newest, envelope as Envelope, context);
  const [outcome] = await new Promise<readonly AppendOutcome[]>((resolve) =>
    space.append(appends, ({ outcomes }) => resolve(outcomes)),
  );
  expect(outcome?.status).toBe('unavailable');
  expect(faults).toHaveLength(1);
  expect(space.newest.proposals.has('p1')).toBe(false);
  await space.idle();
});

it('I-8: releases states replaced by a durable one; after a failure the durable one is still readable', async () => {
  const { space, say, land, fail } = createSpace();
  const first = say(proposal('p1'));
  land();
  await first;
  const before = space.durable;
  const second = say(proposal('p2'));
  const third = say(proposal('p3'));
  land();
  await second;
  expect(() => before.proposals.has('p1')).toThrow('released');
  fail();
  await third;
  expect([...space.newest.proposals.keys()].toSorted()).toEqual(['p1', 'p2']);
  expect(space.durable).toBe(space.newest);
});

it('I-2: what was decided on an earlier state is not appended behind what waits', async () => {
  const { space, inner, waiting, decide, say, land } = createSpace();
  const proposed = say(proposal('p1'));
  land();
  await proposed;
  const [one, other] = ['w1', 'w2'].map((id) => decide(withdrawal(id, 'p1')));
  const append = (appends: readonly StreamAppend[] = []): Promise<readonly AppendOutcome[]> =>
    new Promise((resolve) => space.append(appends, ({ outcomes }) => resolve(outcomes)));
  const flying = say(chat('c1'));
  const all = Promise.all([flying, append(one), append(other)]);
  while (waiting.length > 0) {
    land();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await all).map(statuses)).toEqual([['appended'], ['appended'], ['conflict']]);
  expect(await inner.lastSeq('main')).toBe(3);
});
