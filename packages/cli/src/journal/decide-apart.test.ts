import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { openLocalJournal } from '@proffer/journal';
import { appended } from '@proffer/journal/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/cli.js';
import { checkContents } from './check-contents.js';
import { decideApart } from './decide-apart.js';
import thread from './deciding-thread.program';
import { folderPlace, type JournalPlace } from './place.js';

describe('a journal that another thread decides again', () => {
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  let place: JournalPlace;
  let screen: PassThrough & { isTTY?: boolean };
  beforeEach(async () => {
    home = await temporaryFolder();
    place = folderPlace(join(home.path, 'data'));
    screen = new PassThrough({ encoding: 'utf8' });
    const journal = await open();
    const contents = Array.from({ length: 200 }, (_, index) => ({
      type: 'said',
      time: 1_800_000_000_000 + index,
      principal: 'agent',
      envelope: { id: `m-${index}`, payload: { text: 'hello' } },
    }));
    appended(await journal.append('main/participant/agent', 0, contents));
    await journal.close();
  });
  afterEach(() => home[Symbol.asyncDispose]());

  async function open() {
    const opened = await openLocalJournal(join(home.path, 'data'));
    if (!opened.ok) throw new Error(opened.refusal.message);
    return opened.value;
  }

  const apart = (program = thread, leastBytes = 0) => decideApart(place, screen, { program, leastBytes });
  const check = (more: Partial<Parameters<typeof checkContents>[1]> = {}) =>
    checkContents(place, { kept: { checkpoints: [], keys: [] }, removed: 0, screen, ...more });

  it('shows on a terminal how far it is, and removes that in the end', async () => {
    screen.isTTY = true;
    {
      await using started = await apart();
      await check({ apart: started });
    }
    const shown = String(screen.read());
    expect(shown).toContain(' 50 % of 200 records checked');
    expect(shown.endsWith(' 100 % of 200 records checked\r\u001b[K')).toBe(true);
  });

  it('is small, or has no program for a thread: none is started', async () => {
    expect(await apart(thread, 1_000_000)).toBeUndefined();
    expect(await apart(join(home.path, 'none.js'))).toBeUndefined();
  });

  it('is free again when the thread is stopped while it reads', async () => {
    const started = await apart();
    expect(await started?.isReading).toBe(true);
    await started?.[Symbol.asyncDispose]();
    await (await open()).close();
  });

  it('is held by a gateway: a copy is decided here', async () => {
    const expected = await check();
    const held = await open();
    await using started = await apart();
    expect(await started?.isReading).toBe(false);
    expect(await check({ apart: started })).toEqual(expected);
    await held.close();
  });

  it.each([
    ['at once', ''],
    ['while it reads', 'parentPort.postMessage({ reached: 0, total: 1 });'],
  ])('is decided here if the thread fails %s', async (_, begins) => {
    const failing = join(home.path, 'failing.mjs');
    await writeFile(
      failing,
      `import { parentPort } from 'node:worker_threads'; ${begins} throw new Error('no');`,
    );
    await using started = await apart(failing);
    expect(await check({ apart: started })).toEqual(await check());
  });

  it('is damaged: the failure is the same', async () => {
    const file = join(home.path, 'data', '00000001.0000.segment');
    const bytes = await readFile(file);
    bytes.write('Hello', bytes.indexOf('hello'));
    await writeFile(file, bytes);
    const failureOf = (checked: Promise<unknown>) => checked.catch((error: unknown) => error);
    const expected = await failureOf(check());
    expect(expected).toMatchObject({ failure: { code: 'journal_damaged' } });
    await using started = await apart();
    expect(await failureOf(check({ apart: started }))).toEqual(expected);
  });
});
