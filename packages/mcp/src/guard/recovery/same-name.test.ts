import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { proposalsFor, textOf } from '../../testing/deciding.js';
import { guardInProcess, type InProcess, type InProcessOptions } from '../../testing/in-process.js';
import { createNotedCalls } from '../../testing/noted-calls.js';
import { startSpace } from '../../testing/space.js';
import { createTestClock } from '../../testing/test-clock.js';
import { rememberFacts } from './call-journal.js';
import { isHeldForAnother } from './left-behind.js';
import { createProposalArchive } from './proposal-archive.js';

const APPEND = { name: 'append', arguments: { line: 'one' } };

/** Ends a guard as if it died: it sends nothing and withdraws nothing. */
const lose = ({ participant }: InProcess): Promise<void> => participant.close();

/** Two servers of the same name, each with its own file, and a reviewer. */
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
    /** Whether the name is reserved from a server's guard, after some milliseconds. */
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

describe('two servers of the same name in sequence', () => {
  it("I-2: an answer of one is not used for the other, and waits for the first's guard", async () => {
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

  it('O-15: a call waiting for one is left alone by the other, and runs when its own is back', async () => {
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

  it('O-11: a call waiting for one is not run by the other, even if approved; its own guard asks again', async () => {
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

  it('O-23: a running call or an unknown outcome reserves the name until someone was told, for a day', async () => {
    await using here = await place();
    const { begun, beforeWriting } = hang();
    const first = await here.start('a', beforeWriting);
    await first.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    const fulfilled = fulfil();
    await begun;
    expect([await here.phaseOf(id), await here.isHeldFrom('b')]).toEqual(['allowed', true]);
    await first.client.close();
    await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
    await lose(first);
    expect([await here.phaseOf(id), await here.isHeldFrom('b')]).toEqual(['settled', true]);
    expect(await here.isHeldFrom('a')).toBe(false);
    expect(await here.isHeldFrom('b', 0, [id])).toBe(false);
    expect(await here.isHeldFrom('b', 86_400_000)).toBe(false);
  });

  it('a known outcome does not reserve the name', async () => {
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
  it('O-23: the next guard reports an unknown outcome of another, whichever of their names it has', async () => {
    await using here = await place();
    const hanging = hang();
    const second = await here.start('a', hanging.beforeWriting, { name: 'notes-2' });
    await second.client.callTool(APPEND);
    const { id, fulfil } = await here.next();
    const fulfilled = fulfil();
    await hanging.begun;
    const clock = createTestClock(Date.now());
    // Arrives while that is still running.
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

/** A server that reports when it starts to write, and never finishes. */
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
