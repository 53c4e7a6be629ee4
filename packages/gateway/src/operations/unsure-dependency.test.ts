import { type Envelope, refuse } from '@proffer/core';
import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import { spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal, type Journal } from '@proffer/journal';
import { expect, it, onTestFinished } from 'vitest';
import { journalWith } from '../testing/journals.js';
import { answer, fulfilment, proposal } from '../testing/messages.js';
import { SpaceHost } from './space-host.js';
import type { SpaceMessageOutcome } from './space-message-outcome.js';

const everything = parseCapability('*');
const MAY_ALL = { capabilities: compileCapabilities(everything.ok ? [everything.value] : []) };

/** A space in which `p1` runs and `p2`, which depends on it, is approved. */
async function setUp(journal: Journal) {
  const { host } = await SpaceHost.open({
    journal,
    settings: spaceSettings({ name: 'main' }),
    clock: Date.now,
    absenceGrace: 60_000,
    onGone: () => {},
    onFault: () => {},
  });
  onTestFinished(() => host.stop());
  for (const name of ['agent', 'reviewer', 'tools']) host.presence.join(name, () => MAY_ALL);
  const say = (from: string, message: Pick<Envelope, 'id' | 'kind' | 'payload'>) =>
    new Promise<SpaceMessageOutcome['status']>((resolve) => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as const;
      host.submit({ envelope, sender: MAY_ALL }, ({ status }) => resolve(status));
    });
  await say('agent', proposal('p1'));
  await say('agent', proposal('p2', { depends_on: ['p1'] }));
  await say('reviewer', fulfilment('f2', 'p2'));
  await say('reviewer', fulfilment('f1', 'p1'));
  return { say, phaseOf: (id: string) => host.state.proposals.get(id)?.phase };
}

it('O-37, I-1: does not run what depends on an answer that the journal did not accept', async () => {
  const memory = createMemoryJournal();
  let isFailing = false;
  const journal = journalWith(memory, {
    append: async (stream, version, records) =>
      isFailing && stream.endsWith('/p1')
        ? { status: 'unavailable', refusal: refuse('unavailable', 'It failed.') }
        : await memory.append(stream, version, records),
  });
  const { say, phaseOf } = await setUp(journal);
  isFailing = true;
  expect(await say('tools', answer('x1', 'f1'))).toBe('refused');
  expect([phaseOf('p1'), phaseOf('p2')]).toEqual(['fulfilled', 'approved']);
  isFailing = false;
  expect(await say('tools', answer('x1', 'f1'))).toBe('accepted');
  await expect.poll(() => phaseOf('p2')).toBe('fulfilled');
});

it('O-37: runs what was approved before a pause when approvals are resumed', async () => {
  const { say, phaseOf } = await setUp(createMemoryJournal());
  await say('reviewer', { id: 's1', kind: 'mcpx.pause.approvals', payload: {} });
  await say('tools', answer('x1', 'f1'));
  expect([phaseOf('p1'), phaseOf('p2')]).toEqual(['settled', 'approved']);
  await say('reviewer', { id: 's2', kind: 'mcpx.resume.approvals', payload: {} });
  await expect.poll(() => phaseOf('p2')).toBe('fulfilled');
});
