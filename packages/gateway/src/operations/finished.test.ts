import type { Envelope } from '@proffer/core';
import { compileCapabilities } from '@proffer/core/capability';
import { spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal } from '@proffer/journal';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answer, fulfilment, proposal } from '../testing/messages.js';
import { SpaceHost } from './space-host.js';
import type { Submission } from './submission.js';

const SENDER = { capabilities: compileCapabilities([]) };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function createSpace() {
  let now = 1_000;
  const journal = createMemoryJournal();
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
    /** As a room takes a message: what it needs is brought back first. */
    say: async (from: string, message: object): Promise<Submission> => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as Envelope;
      const removed = await host.prepare(envelope);
      return await new Promise((resolve) => host.submit({ envelope, sender: SENDER }, resolve, removed));
    },
    /** Time passes, and what is over is let go. */
    pass: (milliseconds: number): void => {
      now += milliseconds;
      vi.advanceTimersByTime(1_000);
    },
  };
}

it('O-16, I-7: a proposal that is over is let go after seconds; a second answer is late all the same', async () => {
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

it('O-3, O-12: what is said again about a proposal that was let go has no second effect', async () => {
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
