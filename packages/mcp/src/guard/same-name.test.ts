import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../testing/deciding.js';
import { guardInProcess, type InProcess } from '../testing/in-process.js';
import { startSpace } from '../testing/space.js';
import { createProposalArchive } from './proposal-archive.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };

/** Ends a guard as its death would: it says nothing to anybody, and takes nothing back. */
const lose = ({ participant }: InProcess): Promise<void> => participant.close();

/** Two servers of the same name, each with a file of its own, and somebody who decides. */
async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  const file = (of: string): string => join(space.folder, `${of}.txt`);
  return {
    next: proposalsFor(reviewer),
    /** A guard whose callers are told at once to come back. */
    start: (of: 'a' | 'b'): Promise<InProcess> =>
      guardInProcess(space, { identity: of, notes: { file: file(of) }, holdFor: 1 }),
    written: (of: 'a' | 'b') => readFile(file(of), 'utf8').catch(() => ''),
    phaseOf: async (id: string) => (await archive.find(id))?.proposal['phase'],
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

const wait = (proposal: string) => ({ name: 'proffer_wait', arguments: { proposal } });

describe('two servers of the same name, one after the other', () => {
  it('I-2: what one answered is not for the other, and waits for the guard of the first', async () => {
    await using here = await place();
    const first = await here.start('a');
    await first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    await fulfil();
    await lose(first);
    const other = await here.start('b');
    expect(textOf(await other.client.callTool(APPEND))).toContain('has not run yet');
    expect(textOf(await other.client.callTool(wait(id)))).toContain('There is no call');
    const own = await here.next();
    expect(own.id).not.toBe(id);
    await own.fulfil();
    expect([await here.written('a'), await here.written('b')]).toEqual(['one\n', 'one\n']);
    await lose(other);
    await using again = await here.start('a');
    const retry = await again.client.callTool(APPEND);
    expect(textOf(retry)).toContain('Not asked again: ');
    expect(retry).toMatchObject({ _meta: { 'proffer/outcome': { proposal: id } } });
  });

  it('O-15: what waits for one stays as it is while the other is there, and runs when its own is back', async () => {
    await using here = await place();
    const first = await here.start('a');
    await first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    await lose(first);
    const other = await here.start('b');
    expect(textOf(await other.client.callTool(wait(id)))).toContain('There is no call');
    await other.guard.close();
    expect(await here.phaseOf(id)).toBe('pending');
    await using again = await here.start('a');
    await again.client.callTool(APPEND);
    await fulfil();
    expect([await here.written('a'), await here.written('b')]).toEqual(['one\n', '']);
  });

  it('O-11: what waits for one is not run by the other, also if somebody approves it; its own guard asks anew', async () => {
    await using here = await place();
    const first = await here.start('a');
    await first.client.callTool(APPEND);
    const { fulfil } = await here.next();
    await lose(first);
    const other = await here.start('b');
    await other.client.callTool(APPEND);
    await expect(fulfil()).rejects.toThrow('Nothing was run: this call was proposed for another server');
    expect([await here.written('a'), await here.written('b')]).toEqual(['', '']);
    await other.guard.close();
    await using again = await here.start('a');
    expect(textOf(await again.client.callTool(APPEND))).toContain('has not run yet');
  });
});
