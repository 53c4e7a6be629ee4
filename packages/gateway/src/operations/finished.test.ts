import type { Envelope } from '@proffer/core';
import { compileCapabilities } from '@proffer/core/capability';
import { spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal } from '@proffer/journal';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { appendOne, eachAppend, journalWith, type OneAppend } from '../testing/journals.js';
import { answer, chat, fulfilment, proposal, withdrawal } from '../testing/messages.js';
import { SpaceHost } from './space-host.js';
import type { SpaceMessageOutcome } from './space-message-outcome.js';

const SENDER = { capabilities: compileCapabilities([]) };

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function createSpace() {
  let now = 1_000;
  const inner = createMemoryJournal();
  let held: OneAppend[] | undefined;
  const holding = eachAppend((...given) => {
    if (held === undefined) appendOne(inner, ...given);
    else held.push(given);
  });
  const journal = journalWith(inner, holding);
  const { host } = await SpaceHost.open({
    journal,
    settings: spaceSettings({ name: 'main', dedupWindow: 60_000 }),
    clock: () => now,
    absenceGrace: 60_000,
    onGone: () => {},
    onFault: (error) => {
      throw error;
    },
  });
  for (const name of ['agent', 'reviewer', 'tools']) host.presence.join(name);
  return {
    host,
    journal,
    /** Like a live space handling a message: what it needs is recalled first. */
    say: async (from: string, message: object): Promise<SpaceMessageOutcome> => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as Envelope;
      const removed = await host.prepare(envelope);
      return await new Promise((resolve) => host.submit({ envelope, sender: SENDER }, resolve, removed));
    },
    /** Nothing can be appended until it is released. */
    hold: (): void => {
      held = [];
    },
    release: (): void => {
      const waiting = held ?? [];
      held = undefined;
      for (const given of waiting) appendOne(inner, ...given);
    },
    /** Time passes, and finished proposals are evicted. */
    pass: (milliseconds: number): void => {
      now += milliseconds;
      vi.advanceTimersByTime(1_000);
    },
  };
}

it('O-16, I-7: a finished proposal is evicted after seconds; a second answer is still late', async () => {
  const { host, journal, say, pass } = await createSpace();
  await say('agent', proposal('p1'));
  await say('reviewer', fulfilment('f1', 'p1'));
  pass(30_000);
  expect(host.size).toBe(1);
  await say('tools', answer('a1', 'f1'));
  pass(10_000);
  expect(host.size).toBe(0);
  const before = await journal.lastSeq('main');
  expect(await say('tools', answer('a2', 'f1'))).toEqual({ status: 'late' });
  expect(await journal.lastSeq('main')).toBe(before);
  expect(await host.proposal('p1')).toMatchObject({ outcome: { result: 'ok' } });
  host.stop();
});

it('O-46, I-7: a call that was never reported is evicted; a late report that names its proposal still counts', async () => {
  const { host, say, pass } = await createSpace();
  host.presence.leave('agent');
  host.presence.join('agent', () => ({ ...SENDER, runsOwnCalls: true }));
  await say('agent', proposal('p1', { executor: 'agent' }));
  await say('reviewer', fulfilment('f1', 'p1', []));
  expect(await host.proposal('p1')).toMatchObject({ phase: 'allowed' });
  pass(600_000);
  await say('reviewer', withdrawal('w1', 'p1'));
  expect(await host.proposal('p1')).toMatchObject({ outcome: { result: 'unknown', cause: 'not_reported' } });
  pass(600_000);
  pass(600_000);
  expect(host.size).toBe(0);
  expect(await say('agent', { ...answer('a1', 'f1'), correlationId: ['f1', 'p1'] })).toMatchObject({
    status: 'accepted',
  });
  expect(await host.proposal('p1')).toMatchObject({ outcome: { result: 'ok', by: 'agent' } });
  host.stop();
});

it('O-3, O-12: a repeated message about an evicted proposal has no second effect', async () => {
  const { host, journal, say, pass } = await createSpace();
  await say('agent', proposal('p1'));
  await say('reviewer', fulfilment('f1', 'p1'));
  await say('tools', answer('a1', 'f1'));
  pass(10_000);
  expect(host.size).toBe(0);
  const before = await journal.lastSeq('main');
  expect(await say('agent', proposal('p1'))).toMatchObject({ status: 'duplicate' });
  expect(await say('reviewer', fulfilment('f1', 'p1'))).toMatchObject({ status: 'duplicate' });
  expect(await say('reviewer', fulfilment('f2', 'p1'))).toMatchObject({
    status: 'refused',
    refusal: { code: 'proposal_not_pending' },
  });
  expect(await say('tools', answer('a1', 'f1'))).toMatchObject({ status: 'duplicate' });
  expect(await journal.lastSeq('main')).toBe(before);
  host.stop();
});

it('O-12, I-2: a proposal whose end is on its way stays, and is not decided again', async () => {
  const { host, journal, say, hold, release, pass } = await createSpace();
  await say('agent', proposal('p1'));
  hold();
  const first = say('agent', chat('c1'));
  await turn();
  // It waits until that has landed, and what is decided now goes with it.
  const withdrawn = say('agent', withdrawal('w1', 'p1'));
  await turn();
  pass(10_000);
  pass(10_000);
  expect(host.size).toBe(1);
  const late = say('reviewer', fulfilment('f1', 'p1'));
  await turn();
  release();
  expect(await Promise.all([first, withdrawn])).toMatchObject([
    { status: 'accepted' },
    { status: 'accepted' },
  ]);
  expect(await late).toMatchObject({ status: 'refused', refusal: { code: 'proposal_not_pending' } });
  expect(await journal.lastSeq('main')).toBe(3);
  pass(10_000);
  expect(host.size).toBe(0);
  host.stop();
});
