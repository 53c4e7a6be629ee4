import { once } from 'node:events';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { createCallJournal, createProposalArchive } from './guard/recovery/index.js';
import { proposalsFor, textOf } from './testing/deciding.js';
import type { GuardMainOptions } from './testing/guard-main.js';
import { programs } from './testing/programs.js';
import { type RawGuard, startRawGuard } from './testing/raw-guard.js';
import { startSpace } from './testing/space.js';

/** Callers are told at once to come back, so that an outcome may find nobody there. */
const IMPATIENT = { holdFor: 1 };
const LINE = { line: 'one' };

/** A guard that can be restarted repeatedly, and a reviewer. */
async function place() {
  const space = await startSpace();
  const reviewer = await space.join('reviewer');
  const folder = await mkdtemp(join(space.folder, 'run-'));
  const file = join(folder, 'notes.txt');
  const pins = join(folder, 'pins.json');
  const isThere = async (name: string) => (await readdir(folder)).includes(name);
  const archive = createProposalArchive({ url: space.url, space: 'main', token: 'reviewer' });
  return {
    reviewer,
    next: proposalsFor(reviewer),
    start: (times: GuardMainOptions['times'] = {}): Promise<RawGuard> =>
      startRawGuard({
        url: space.url,
        name: 'notes',
        pins,
        server: [process.execPath, programs.notes, file, folder],
        times,
      }),
    /** Resolves when a call runs on the server, which waits for {@link goOn}. */
    async begun() {
      await expect.poll(() => isThere('started')).toBe(true);
    },
    goOn: () => writeFile(join(folder, 'go'), ''),
    phaseOf: async (id: string) => (await archive.find(id))?.proposal['phase'],
    /** How many calls were proposed. */
    async proposed(): Promise<number> {
      const ids: unknown[] = [];
      for await (const { id } of archive.open({ since: 0 })) ids.push(id);
      return ids.length;
    },
    lines: async () =>
      (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
    isHeard: async (id: string) =>
      (await createCallJournal(`${pins}.calls`).load()).has({ type: 'heard', id }),
    async [Symbol.asyncDispose]() {
      await reviewer.close();
      await space[Symbol.asyncDispose]();
    },
  };
}

function resultIn({ result }: JsonObject): JsonObject {
  return isJsonObject(result) ? result : {};
}

function outcomeIn(answer: JsonObject): JsonObject {
  const meta = resultIn(answer)['_meta'];
  const outcome = isJsonObject(meta) ? meta['proffer/outcome'] : undefined;
  return isJsonObject(outcome) ? outcome : {};
}

const EARLIER = /^Not asked again: "?append"? was called with the same arguments at \d{4}-/;

describe('repeated call after a guard was killed', () => {
  it('I-2, O-3: gets the undelivered result, marked as such, and runs nothing; the next is a new call', async ({
    expect,
  }) => {
    await using here = await place();
    await here.goOn();
    await using first = await here.start(IMPATIENT);
    const told = outcomeIn(await first.call('append', LINE));
    expect(told).toMatchObject({ code: 'pending' });
    await (await here.next()).fulfil();
    await first.kill();
    await using second = await here.start();
    const retry = await second.call('append', LINE);
    expect(textOf(resultIn(retry))).toMatch(EARLIER);
    expect(resultIn(retry)['content']).toMatchObject([{}, { text: 'appended one' }]);
    expect(outcomeIn(retry)).toEqual({
      code: 'ran',
      proposal: told['proposal'],
      madeAt: expect.stringMatching(/^\d{4}-/),
    });
    expect([await here.proposed(), await here.lines()]).toEqual([1, ['one']]);
    const again = second.call('append', LINE);
    await (await here.next()).fulfil();
    expect(resultIn(await again)['content']).toEqual([{ type: 'text', text: 'appended one' }]);
    expect([await here.proposed(), await here.lines()]).toEqual([2, ['one', 'one']]);
  });

  it('O-18: learns of a rejection given while no guard was running', async () => {
    await using here = await place();
    await here.goOn();
    await using first = await here.start();
    void first.call('append', LINE);
    const proposal = await here.next();
    await first.kill();
    await proposal.reject('unsafe', 'not today');
    await using second = await here.start();
    const retry = await second.call('append', LINE);
    expect(outcomeIn(retry)).toMatchObject({ code: 'rejected', proposal: proposal.id });
    expect(textOf(resultIn(retry))).toContain('not today');
    expect([await here.proposed(), await here.lines()]).toEqual([1, []]);
  });

  it('is a new call if the outcome of the first was delivered', async () => {
    await using here = await place();
    await here.goOn();
    await using first = await here.start();
    const answered = first.call('append', LINE);
    const { id, fulfil } = await here.next();
    await fulfil();
    await answered;
    await expect.poll(() => here.isHeard(id)).toBe(true);
    await first.kill();
    await using second = await here.start();
    const again = second.call('append', LINE);
    await (await here.next()).fulfil();
    expect(resultIn(await again)['content']).toEqual([{ type: 'text', text: 'appended one' }]);
    expect(await here.lines()).toEqual(['one', 'one']);
  });
});

describe('repeated call after a guard exited normally', () => {
  it('is a new call, however soon it comes after the first was answered', async () => {
    await using here = await place();
    await here.goOn();
    await using first = await here.start();
    const answered = first.call('append', LINE);
    await (await here.next()).fulfil();
    await answered;
    const ended = once(first.process, 'exit');
    first.process.stdin?.end();
    await ended;
    await using second = await here.start();
    const again = second.call('append', LINE);
    await (await here.next()).fulfil();
    expect(resultIn(await again)['content']).toEqual([{ type: 'text', text: 'appended one' }]);
    expect(await here.lines()).toEqual(['one', 'one']);
  });
});

describe('repeated call after a client left while the first ran', () => {
  it('I-2, O-23: is told that the outcome is unknown, although the guard exited normally', async () => {
    await using here = await place();
    await using first = await here.start();
    void first.call('append', LINE);
    const proposal = await here.next();
    const fulfilled = proposal.fulfil();
    fulfilled.catch(() => {});
    await here.begun();
    const ended = once(first.process, 'exit');
    first.process.stdin?.end();
    await ended;
    expect(await here.isHeard(proposal.id)).toBe(false);
    await using second = await here.start();
    const retry = await second.call('append', LINE);
    expect(outcomeIn(retry)).toMatchObject({ code: 'unknown', proposal: proposal.id });
    expect(textOf(resultIn(retry))).toMatch(EARLIER);
    expect([await here.proposed(), await here.lines()]).toEqual([1, []]);
    await expect(fulfilled).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
  });

  it('I-2: gets the result that was written when nobody was reading any more', async () => {
    await using here = await place();
    await using first = await here.start();
    void first.call('append', LINE);
    const proposal = await here.next();
    const fulfilled = proposal.fulfil();
    await here.begun();
    const ended = once(first.process, 'exit');
    first.process.stdout?.destroy();
    await here.goOn();
    await fulfilled;
    await ended;
    expect(await here.isHeard(proposal.id)).toBe(false);
    await using second = await here.start();
    const retry = await second.call('append', LINE);
    expect(textOf(resultIn(retry))).toMatch(EARLIER);
    expect(resultIn(retry)['content']).toMatchObject([{}, { text: 'appended one' }]);
    expect([await here.proposed(), await here.lines()]).toEqual([1, ['one']]);
  });
});
