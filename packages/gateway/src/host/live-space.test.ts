import { type Envelope, refuse } from '@proffer/core';
import { decideInSpace, recallProposal, spaceSettings } from '@proffer/core/operations';
import { type AppendOutcome, createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { journalWith } from '../testing/journals.js';
import { chat, proposal } from '../testing/messages.js';
import { LiveSpace } from './live-space.js';

const UNAVAILABLE: AppendOutcome = {
  status: 'unavailable',
  refusal: refuse('unavailable', 'The disk is full.'),
};

/** A space whose appends wait until they are let through or fail, one after the other. */
function createSpace() {
  const inner = createMemoryJournal();
  const waiting: Parameters<Journal['appendThen']>[] = [];
  const journal = journalWith(inner, { appendThen: (...given) => void waiting.push(given) });
  const space = new LiveSpace({
    journal,
    settings: spaceSettings({ name: 'main' }),
    onChanged: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  return {
    space,
    say: (message: object): Promise<readonly AppendOutcome[]> => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from: 'agent', ...message };
      const surroundings = { now: 1_000, isPresent: () => true };
      const { appends = [] } = decideInSpace(space.newest, envelope as Envelope, surroundings);
      return new Promise((resolve) => space.append(appends, resolve));
    },
    land: (): void => {
      const [append, settle] = waiting.shift() ?? [];
      if (append !== undefined && settle !== undefined) inner.appendThen(append, settle);
    },
    fail: (): void => {
      waiting.shift()?.[1](UNAVAILABLE);
    },
  };
}

it('I-1: what was decided on an append that failed is not shown while others are in the air', async () => {
  const { space, say, land, fail } = createSpace();
  const first = say(proposal('p1'));
  const second = say(chat('c1'));
  expect(space.newest.proposals.has('p1')).toBe(true);
  expect(space.durable.proposals.has('p1')).toBe(false);
  fail();
  expect((await first).map(({ status }) => status)).toEqual(['unavailable']);
  expect(space.durable.proposals.has('p1')).toBe(false);
  expect(space.isUncertain).toBe(true);
  land();
  expect((await second).map(({ status }) => status)).toEqual(['appended']);
  expect(space.isUncertain).toBe(false);
  expect(space.durable.participants.get('agent')?.version).toBe(1);
});

it('O-12: what was brought back or let go while an append was in the air stays so when it fails', async () => {
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

it('I-1: a journal that throws is one that could not be written', async () => {
  const faults: unknown[] = [];
  const appendThen = (): never => {
    throw new Error('a fault of ours');
  };
  const space = new LiveSpace({
    journal: journalWith(createMemoryJournal(), { appendThen }),
    settings: spaceSettings({ name: 'main' }),
    onChanged: () => {},
    onFault: (error) => faults.push(error),
  });
  const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from: 'agent', ...proposal('p1') };
  const surroundings = { now: 1_000, isPresent: () => true };
  const { appends = [] } = decideInSpace(space.newest, envelope as Envelope, surroundings);
  const [outcome] = await new Promise<readonly AppendOutcome[]>((resolve) => space.append(appends, resolve));
  expect(outcome?.status).toBe('unavailable');
  expect(faults).toHaveLength(1);
  expect(space.newest.proposals.has('p1')).toBe(false);
  await space.landed();
});
