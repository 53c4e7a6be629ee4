import { type Envelope, refuse } from '@proffer/core';
import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import { spaceSettings } from '@proffer/core/operations';
import { createMemoryJournal } from '@proffer/journal';
import { expect, it } from 'vitest';
import { journalWith } from '../testing/journals.js';
import { answer, fulfilment, proposal } from '../testing/messages.js';
import { SpaceHost } from './space-host.js';
import type { Submission } from './submission.js';

const everything = parseCapability('*');
const MAY_ALL = { capabilities: compileCapabilities(everything.ok ? [everything.value] : []) };

it('O-37, I-1: what depends on an answer that the journal did not take does not run', async () => {
  const memory = createMemoryJournal();
  let isFailing = false;
  const journal = journalWith(memory, {
    append: async (stream, version, records) =>
      isFailing && stream.endsWith('/p1')
        ? { status: 'unavailable', refusal: refuse('unavailable', 'It failed.') }
        : await memory.append(stream, version, records),
  });
  const { host } = await SpaceHost.open({
    journal,
    settings: spaceSettings({ name: 'main' }),
    clock: Date.now,
    absenceGrace: 60_000,
    onGone: () => {},
    onFault: () => {},
  });
  for (const name of ['agent', 'reviewer', 'tools']) host.presence.join(name, () => MAY_ALL);
  const say = (from: string, message: Pick<Envelope, 'id' | 'kind' | 'payload'>) =>
    new Promise<Submission>((settle) => {
      const envelope = { protocol: 'mcpx/v0.1', ts: '2026-01-01T00:00:00Z', from, ...message } as const;
      host.submit({ envelope, sender: MAY_ALL }, settle);
    });
  await say('agent', proposal('p1'));
  await say('agent', proposal('p2', { depends_on: ['p1'] }));
  await say('reviewer', fulfilment('f2', 'p2'));
  await say('reviewer', fulfilment('f1', 'p1'));
  isFailing = true;
  expect((await say('tools', answer('x1', 'f1'))).status).toBe('refused');
  expect(host.state.proposals.get('p1')?.phase).toBe('fulfilled');
  expect(host.state.proposals.get('p2')?.phase).toBe('approved');
  isFailing = false;
  expect((await say('tools', answer('x1', 'f1'))).status).toBe('accepted');
  await expect.poll(() => host.state.proposals.get('p2')?.phase).toBe('fulfilled');
  host.stop();
});
