import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess, type InProcess } from '../../testing/in-process.js';
import { createNotedCalls } from '../../testing/noted-calls.js';
import { startSpace, type TestSpace } from '../../testing/space.js';
import { OUTCOME_KEY } from '../answers.js';
import { createProposalArchive } from './proposal-archive.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };
/** Callers are told at once to come back, so that an outcome may find nobody there. */
const IMPATIENT = { holdFor: 1 };
const EARLIER = 'Not asked again: ';

const written = ({ folder }: TestSpace) => readFile(join(folder, 'notes.txt'), 'utf8').catch(() => '');
const outcomeOf = (result: { readonly _meta?: object | undefined }): unknown =>
  (result['_meta'] as Record<string, unknown> | undefined)?.[OUTCOME_KEY];

/** Ends a guard as if it died: it sends nothing and withdraws nothing. */
const lose = ({ participant }: InProcess): Promise<void> => participant.close();

async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  return {
    space,
    next: proposalsFor(reviewer),
    phaseOf: async (id: string) => (await archive.find(id))?.proposal['phase'],
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

describe('repeated call after a restart of the guard', () => {
  it('O-18: learns of a rejection given while its caller was away', async () => {
    await using here = await place();
    const first = await guardInProcess(here.space, IMPATIENT);
    await first.client.callTool(APPEND);
    const proposal = await here.next();
    await proposal.reject('unsafe', 'not today');
    await expect.poll(() => here.phaseOf(proposal.id)).toBe('withdrawn');
    await lose(first);
    await using second = await guardInProcess(here.space);
    const retry = await second.client.callTool(APPEND);
    expect(outcomeOf(retry)).toMatchObject({ code: 'rejected', proposal: proposal.id });
    expect(textOf(retry)).toContain(EARLIER);
    expect(textOf(retry)).toContain('not today');
    expect(await written(here.space)).toBe('');
  });

  it('O-19: learns that it expired while no guard was running', async () => {
    await using here = await place();
    const first = await guardInProcess(here.space, { ...IMPATIENT, ttl: 500 });
    await first.client.callTool(APPEND);
    const { id } = await here.next();
    await lose(first);
    await expect.poll(() => here.phaseOf(id), { timeout: 10_000 }).toBe('expired');
    await using second = await guardInProcess(here.space);
    const retry = await second.client.callTool(APPEND);
    expect(outcomeOf(retry)).toMatchObject({ code: 'expired', proposal: id });
    expect(textOf(retry)).toContain(EARLIER);
  });

  it('reports the changes made before it ran, and waits by its proposal as if nothing had happened', async () => {
    await using here = await place();
    const first = await guardInProcess(here.space, IMPATIENT);
    await first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    await fulfil({ name: 'notes/append', arguments: { line: 'two' } });
    await lose(first);
    const second = await guardInProcess(here.space);
    const wait = { name: 'proffer_wait', arguments: { proposal: id } };
    expect(textOf(await second.client.callTool(wait))).toContain('line: "one" → "two"');
    await lose(second);
    await using third = await guardInProcess(here.space);
    const retry = await third.client.callTool(APPEND);
    expect(retry.content).toMatchObject([
      { text: expect.stringContaining(EARLIER) },
      { text: expect.stringContaining('line: "one" → "two"') },
      { text: 'appended two' },
    ]);
    expect(await written(here.space)).toBe('two\n');
  });

  it('is a new call after the window', async () => {
    await using here = await place();
    const first = await guardInProcess(here.space, IMPATIENT);
    await first.client.callTool(APPEND);
    await (await here.next()).fulfil();
    await lose(first);
    await using second = await guardInProcess(here.space, { ...IMPATIENT, window: 1 });
    expect(outcomeOf(await second.client.callTool(APPEND))).toMatchObject({ code: 'pending' });
    await (await here.next()).reject('unsafe');
    expect(await written(here.space)).toBe('one\n');
  });

  it('O-15: is asked again if the first was withdrawn without a rejection', async () => {
    await using here = await place();
    const first = await guardInProcess(here.space, IMPATIENT);
    await first.client.callTool(APPEND);
    const { id } = await here.next();
    await first.guard.close();
    expect(await here.phaseOf(id)).toBe('withdrawn');
    await using second = await guardInProcess(here.space, IMPATIENT);
    expect(outcomeOf(await second.client.callTool(APPEND))).toMatchObject({ code: 'pending' });
    await (await here.next()).reject('unsafe');
  });

  it('is a new call if the outcome was delivered', async () => {
    await using here = await place();
    const { journal, heard } = createNotedCalls();
    const first = await guardInProcess(here.space, { journal });
    const answered = first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    await fulfil();
    await answered;
    expect(heard()).toEqual([id]);
    await lose(first);
    await using second = await guardInProcess(here.space, { ...IMPATIENT, journal });
    expect(outcomeOf(await second.client.callTool(APPEND))).toMatchObject({ code: 'pending' });
    await (await here.next()).reject('unsafe');
  });
});
