import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess } from '../../testing/in-process.js';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { createProposalArchive } from '../recovery/index.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };

/** A caller that was told that its call has not run yet. */
async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const next = proposalsFor(reviewer);
  const clock = createTestClock();
  const { client, guard } = await guardInProcess(space, { clock });
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  const first = client.callTool(APPEND);
  const proposal = await next();
  clock.pass(50_000);
  expect(textOf(await first)).toContain('has not run yet');
  return {
    client,
    clock,
    proposal,
    phase: async () => (await archive.find(proposal.id))?.proposal['phase'],
    written: () => readFile(join(space.folder, 'notes.txt'), 'utf8').catch(() => ''),
    async [Symbol.asyncDispose]() {
      await guard.close();
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

describe('caller that was told that its call has not run yet', () => {
  it('counts as present as long as its connection is open, even without asking', async () => {
    await using here = await place();
    here.clock.pass(600_000);
    await here.proposal.fulfil();
    expect(await here.written()).toBe('one\n');
    expect(textOf(await here.client.callTool(APPEND))).toBe('appended one');
  });

  it.each(['the same call', 'proffer_wait'])('O-15: is gone when it cancels %s', async (what) => {
    await using here = await place();
    const wait = { name: 'proffer_wait', arguments: { proposal: here.proposal.id } };
    const leaving = new AbortController();
    const again = here.client.callTool(what === 'proffer_wait' ? wait : APPEND, { signal: leaving.signal });
    await here.client.listTools();
    leaving.abort('enough');
    await expect(again).rejects.toBeDefined();
    await expect.poll(() => here.phase()).toBe('withdrawn');
    await expect(here.proposal.fulfil()).rejects.toBeDefined();
    expect(await here.written()).toBe('');
  });

  it('may return within the window after its timeout, and counts as present again', async () => {
    await using here = await place();
    const leaving = new AbortController();
    const again = here.client.callTool(APPEND, { signal: leaving.signal });
    await here.client.listTools();
    leaving.abort('Request timed out');
    await expect(again).rejects.toBeDefined();
    await here.client.listTools();
    here.clock.pass(119_000);
    const last = here.client.callTool(APPEND);
    await here.client.listTools();
    here.clock.pass(50_000);
    expect(textOf(await last)).toContain('has not run yet');
    here.clock.pass(600_000);
    await here.proposal.fulfil();
    expect(await here.written()).toBe('one\n');
  });
});
