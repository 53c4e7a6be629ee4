import { type Envelope, refuse } from '@proffer/core';
import { compileCapabilities } from '@proffer/core/capability';
import { spaceSettings } from '@proffer/core/operations';
import { type AppendOutcome, createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { appendOne, eachAppend, journalWith, type OneAppend } from '../testing/journals.js';
import { fulfilment, proposal, withdrawal } from '../testing/messages.js';
import { SpaceHost } from './space-host.js';
import type { SpaceMessageOutcome } from './space-message-outcome.js';

const NOBODY = { capabilities: compileCapabilities([]) };

const UNAVAILABLE: AppendOutcome = {
  status: 'unavailable',
  refusal: refuse('unavailable', 'The disk is full.'),
};

/** A space whose appends wait until they are released or fail, one after another. */
async function createHost() {
  const inner = createMemoryJournal();
  const waiting: OneAppend[] = [];
  const journal = journalWith(
    inner,
    eachAppend((...given) => void waiting.push(given)),
  );
  const { host } = await SpaceHost.open({
    journal,
    settings: spaceSettings({ name: 'main' }),
    clock: () => 1_000,
    absenceGrace: 60_000,
    onGone: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  for (const name of ['agent', 'reviewer', 'other', 'tools']) host.presence.join(name);
  const land = (): void => {
    const [append, settle] = waiting.shift() ?? [];
    if (append !== undefined && settle !== undefined) appendOne(inner, append, settle);
  };
  return {
    host,
    land,
    fail: (): void => waiting.shift()?.[1](UNAVAILABLE),
    say: (
      from: string,
      message: object,
    ): { readonly told: SpaceMessageOutcome[]; readonly all: Promise<SpaceMessageOutcome> } => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as Envelope;
      const told: SpaceMessageOutcome[] = [];
      const all = new Promise<SpaceMessageOutcome>((resolve) => {
        host.submit({ envelope, sender: NOBODY }, (outcome) => {
          told.push(outcome);
          resolve(outcome);
        });
      });
      return { told, all };
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function withProposal() {
  const space = await createHost();
  const made = space.say('agent', proposal('p1'));
  await turn();
  space.land();
  expect(await made.all).toMatchObject({ status: 'accepted' });
  return space;
}

it('I-1: nobody is told that another was first before that is certain', async () => {
  const { say, land } = await withProposal();
  const first = say('reviewer', fulfilment('f1', 'p1'));
  const second = say('other', fulfilment('f2', 'p1'));
  await turn();
  expect(second.told).toEqual([]);
  land();
  expect(await first.all).toMatchObject({ status: 'accepted' });
  expect(await second.all).toMatchObject({ status: 'refused', refusal: { code: 'proposal_not_pending' } });
});

it('I-1, O-12: someone second only to what never happened is the first', async () => {
  const { say, land, fail } = await withProposal();
  const first = say('reviewer', fulfilment('f1', 'p1'));
  const second = say('other', fulfilment('f2', 'p1'));
  const late = say('agent', withdrawal('w1', 'p1'));
  await turn();
  expect([second.told, late.told]).toEqual([[], []]);
  fail();
  expect(await first.all).toMatchObject({ status: 'refused', refusal: { code: 'unavailable' } });
  await turn();
  land();
  expect(await second.all).toMatchObject({ status: 'accepted' });
});

it('I-1: a refusal that depends on nothing else is given at once', async () => {
  const { say } = await withProposal();
  say('agent', proposal('p2'));
  const wrong = say('other', withdrawal('w1', 'p1'));
  expect(wrong.told).toMatchObject([{ status: 'refused' }]);
});

it('O-47: a message sent again is not answered before the first one, and like it', async () => {
  const { say, land, fail } = await withProposal();
  const first = say('reviewer', fulfilment('f1', 'p1'));
  const again = say('reviewer', fulfilment('f1', 'p1'));
  await turn();
  expect(again.told).toEqual([]);
  fail();
  expect(await first.all).toMatchObject({ status: 'refused', refusal: { code: 'unavailable' } });
  await turn();
  const third = say('reviewer', fulfilment('f1', 'p1'));
  await turn();
  expect([again.told, third.told]).toEqual([[], []]);
  land();
  const accepted = await again.all;
  expect(accepted).toMatchObject({ status: 'accepted' });
  expect(await third.all).toEqual({ ...accepted, status: 'duplicate' });
});

it('O-35, I-1: no part of a batch is told to be late before that is certain', async () => {
  const { say, land, fail } = await withProposal();
  const second = say('agent', proposal('p2'));
  await turn();
  land();
  await second.all;
  const first = say('agent', withdrawal('w1', 'p2'));
  const batch = say('agent', { ...withdrawal('b1', ''), correlationId: ['p1', 'p2'] });
  await turn();
  fail();
  land();
  expect(await first.all).toMatchObject({ status: 'refused', refusal: { code: 'unavailable' } });
  await turn();
  expect(batch.told).toEqual([]);
  land();
  expect(await batch.all).toMatchObject({
    status: 'accepted',
    parts: [
      { proposal: 'p1', status: 'accepted' },
      { proposal: 'p2', status: 'accepted' },
    ],
  });
});
