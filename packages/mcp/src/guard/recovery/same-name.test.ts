import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess, type InProcess, type InProcessOptions } from '../../testing/in-process.js';
import { createNotedCalls } from '../../testing/noted-calls.js';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { rememberFacts } from './kept-facts.js';
import { isHeldForAnother } from './name-held.js';
import { createProposalArchive } from './proposal-archive.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };

/** Ends a guard as its death would: it says nothing to anybody, and takes nothing back. */
const lose = ({ participant }: InProcess): Promise<void> => participant.close();

/** Two servers of the same name, each with a file of its own, and someone who decides. */
async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  const file = (of: string): string => join(space.folder, `${of}.txt`);
  return {
    next: proposalsFor(reviewer),
    /** A guard whose callers are told at once to come back. */
    start: (
      of: 'a' | 'b',
      beforeWriting = async (): Promise<void> => {},
      more: InProcessOptions = {},
    ): Promise<InProcess> =>
      guardInProcess(space, { identity: of, notes: { file: file(of), beforeWriting }, holdFor: 1, ...more }),
    written: (of: 'a' | 'b') => readFile(file(of), 'utf8').catch(() => ''),
    /** Whether the name is kept from the guard of a server, after so many milliseconds. */
    isHeldFrom: (of: 'a' | 'b', later = 0, heard: readonly string[] = []) => {
      const memory = rememberFacts(heard.map((id) => ({ type: 'heard', id })));
      const about = { server: 'notes', identity: of, memory, now: Date.now() + later };
      return isHeldForAnother(archive, 'notes', about);
    },
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
    expect(textOf(await other.client.callTool(wait(id)))).toContain('No call is waiting');
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
    expect(textOf(await other.client.callTool(wait(id)))).toContain('No call is waiting');
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

  it('O-23: what runs, or has an unknown outcome, keeps the name from the other until somebody was told, for a day', async () => {
    await using here = await place();
    const { begun, beforeWriting } = hang();
    const first = await here.start('a', beforeWriting);
    await first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    const fulfilled = fulfil();
    await begun;
    expect([await here.phaseOf(id), await here.isHeldFrom('b')]).toEqual(['fulfilled', true]);
    await first.client.close();
    await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    await lose(first);
    expect([await here.phaseOf(id), await here.isHeldFrom('b')]).toEqual(['settled', true]);
    expect(await here.isHeldFrom('a')).toBe(false);
    expect(await here.isHeldFrom('b', 0, [id])).toBe(false);
    expect(await here.isHeldFrom('b', 86_400_000)).toBe(false);
  });

  it('what ended in a way that is known does not keep the name', async () => {
    await using here = await place();
    const first = await here.start('a');
    await first.client.callTool(APPEND);
    const { fulfil } = await here.next();
    expect(await here.isHeldFrom('b')).toBe(true);
    await fulfil();
    expect(await here.isHeldFrom('b')).toBe(false);
    await lose(first);
  });
});

describe('several guards of one server', () => {
  it('O-23: what one left with an unknown outcome is said by the next, whichever of their names it has', async () => {
    await using here = await place();
    const hanging = hang();
    const second = await here.start('a', hanging.beforeWriting, { name: 'notes-2' });
    await second.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    const fulfilled = fulfil();
    await hanging.begun;
    const clock = createTestClock(Date.now());
    // Comes while that still runs.
    const early = await here.start('a', undefined, { clock });
    await second.client.close();
    await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    await lose(second);
    const { journal, heard } = createNotedCalls();
    for (const name of ['other', 'notes-3']) {
      const guarded = await here.start('a', undefined, { name, journal });
      const answer = await guarded.client.callTool(APPEND);
      const isTold = name === 'notes-3';
      expect(textOf(answer)).toContain(
        isTold ? 'Unknown: "append" was approved and started' : 'has not run yet',
      );
      expect(heard()).toEqual(isTold ? [id] : []);
      if (!isTold) await (await here.next()).reject('unsafe');
      await lose(guarded);
    }
    clock.pass(3_000);
    await expect
      .poll(async () => textOf(await early.client.callTool(wait(id))))
      .toContain('Unknown: "append" was approved and started');
    await lose(early);
    expect(await here.written('a')).toBe('');
  });
});

/** A server that says when it begins to write, and never ends. */
function hang() {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const beforeWriting = (): Promise<void> => {
    begin();
    return new Promise<void>(() => {});
  };
  return { begun, beforeWriting };
}
