import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appended, collect, sample, texts } from '../testing/index.js';
import { acceptLoss } from './accept-loss.js';
import type { LocalJournal } from './local-journal.js';
import { openLocalJournal } from './open-local-journal.js';
import { listFolder, progressPath, SegmentLock, segmentPath } from './segments/index.js';
import { faultyDisk } from './testing/faulty-disk.js';
import { fill } from './testing/filled.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

const temporaryFolder = useTemporaryFolder();
const STREAM = 'main/proposal/new';

async function expectUnavailable(journal: LocalJournal, why: string): Promise<void> {
  const outcome = await journal.append(STREAM, 0, [sample('lost?')]);
  expect(outcome).toMatchObject({ status: 'unavailable' });
  expect(outcome.status === 'unavailable' && outcome.refusal.message).toContain(why);
}

/** Appends until the missing files are noticed; returns what was acknowledged before. */
async function untilMoved(journal: LocalJournal): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (;;) {
    const text = `unnoticed ${acknowledged.length}`;
    const outcome = await journal.append('main/proposal/moved', acknowledged.length, [sample(text)]);
    if (outcome.status === 'appended') acknowledged.push(text);
    else {
      expect(outcome).toMatchObject({ status: 'unavailable', refusal: { details: { cause: 'MOVED' } } });
      return acknowledged;
    }
  }
}

/** Puts a copy in the place of a file, as a restore or rsync does. */
async function replaceByCopy(path: string): Promise<void> {
  await copyFile(path, `${path}.new`);
  await rename(`${path}.new`, path);
}

async function everything(journal: LocalJournal): Promise<readonly string[]> {
  return texts(await collect(journal.feed('main', 0, { follow: false })));
}

describe('a second writer', () => {
  it('I-2: is kept out by a lock that nobody else can remove, whatever is deleted from the folder', async () => {
    const folder = await temporaryFolder();
    const first = await opened(folder);
    await fill(first, 3);
    await rm(progressPath(folder));
    expect(await openLocalJournal(folder)).toMatchObject({
      ok: false,
      refusal: { code: 'journal_damaged', details: { file: progressPath(folder) } },
    });
    await rm(join(folder, 'format.json'));
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_damaged' } });
    await first.close();
  });

  it('I-1, I-2: that starts anew in an emptied folder is noticed before anything more is acknowledged', async () => {
    const folder = await temporaryFolder();
    const first = await opened(folder);
    await fill(first, 3);
    for (const name of await readdir(folder)) await rm(join(folder, name));
    const second = await opened(folder);
    appended(await second.append(STREAM, 0, [sample('second')]));
    await untilMoved(first);
    await expectUnavailable(first, 'its folder was moved');
    await first.compact({ before: 0, keep: () => true }).catch(() => undefined);
    await first.close();
    // The second writer's files are as it left them.
    appended(await second.append(STREAM, 1, [sample('more')]));
    expect(await everything(second)).toEqual(['second', 'more']);
    expect((await second.verify()).faults).toEqual([]);
    await second.close();
    const again = await opened(folder);
    expect(await everything(again)).toEqual(['second', 'more']);
    await again.close();
  });

  it('I-1, I-2: a moved folder stays locked, acknowledges nothing, and works again when it is back', async () => {
    const parent = await temporaryFolder();
    const folder = join(parent, 'data');
    const moved = join(parent, 'moved');
    const first = await opened(folder);
    await fill(first, 3);
    await rename(folder, moved);
    const unnoticed = await untilMoved(first);
    expect(await openLocalJournal(moved)).toMatchObject({ ok: false, refusal: { code: 'journal_locked' } });
    await mkdir(folder);
    const second = await opened(folder);
    appended(await second.append(STREAM, 0, [sample('second')]));
    await expectUnavailable(first, 'was moved');
    await second.close();
    await rm(folder, { recursive: true });
    await rename(moved, folder);
    appended(await first.append(STREAM, 0, [sample('first')]));
    expect(await everything(first)).toEqual(['m-0', 'm-1', 'm-2', ...unnoticed, 'first']);
    expect((await first.verify()).faults).toEqual([]);
    await first.close();
  });

  it('I-2: is kept out when the locked file is replaced, and the first acknowledges no more until it is back', async () => {
    const folder = await temporaryFolder();
    const first = await opened(folder);
    await fill(first, 3);
    const original = join(folder, 'original');
    await link(progressPath(folder), original);
    await replaceByCopy(progressPath(folder));
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_locked' } });
    expect(await acceptLoss(folder, { now: 0 })).toMatchObject({
      ok: false,
      refusal: { code: 'journal_locked' },
    });
    const before = await untilMoved(first);
    await expectUnavailable(first, 'were removed or replaced');
    await rename(original, progressPath(folder));
    appended(await first.append(STREAM, 0, [sample('after')]));
    expect(await everything(first)).toEqual(['m-0', 'm-1', 'm-2', ...before, 'after']);
    await first.close();
    const again = await opened(folder);
    expect(await everything(again)).toEqual(['m-0', 'm-1', 'm-2', ...before, 'after']);
    await again.close();
  });

  it('I-2: is kept out at every moment of a change of segments', async () => {
    const folder = await temporaryFolder();
    let isOpen = false;
    const tries: ('held' | 'free')[] = [];
    const disk = faultyDisk(async () => {
      if (!isOpen) return undefined;
      const taken = await SegmentLock.ofLast(folder, 'write');
      tries.push(taken.ok && taken.value === undefined ? 'held' : 'free');
      return undefined;
    });
    const first = await opened(folder, { segmentBytes: 900, disk });
    isOpen = true;
    await fill(first, 12);
    expect((await listFolder(folder)).segments.length).toBeGreaterThan(3);
    expect(tries.length).toBeGreaterThan(20);
    expect(new Set(tries)).toEqual(new Set(['held']));
    isOpen = false;
    await first.close();
  });

  it('I-2: is kept out of a copy made of hard links', async () => {
    const folder = await temporaryFolder();
    const copy = await temporaryFolder();
    const first = await opened(folder);
    await fill(first, 3);
    for (const name of await readdir(folder)) await link(join(folder, name), join(copy, name));
    expect(await openLocalJournal(copy)).toMatchObject({ ok: false, refusal: { code: 'journal_locked' } });
    await replaceByCopy(progressPath(copy));
    expect(await openLocalJournal(copy)).toMatchObject({ ok: false, refusal: { code: 'journal_locked' } });
    appended(await first.append(STREAM, 0, [sample('goes on')]));
    await first.close();
  });

  it('I-1, I-2: in a folder restored under the first gets everything that was acknowledged, and the first acknowledges nothing more', async () => {
    const folder = await temporaryFolder();
    const first = await opened(folder);
    await fill(first, 3);
    for (const name of await readdir(folder)) await replaceByCopy(join(folder, name));
    await expectUnavailable(first, 'were removed or replaced');
    const second = await opened(folder);
    appended(await second.append(STREAM, 0, [sample('second')]));
    await expectUnavailable(first, 'were removed or replaced');
    await first.close();
    expect(await everything(second)).toEqual(['m-0', 'm-1', 'm-2', 'second']);
    expect((await second.verify()).faults).toEqual([]);
    await second.close();
  });

  it('I-2: a repair is kept out when the locked file is removed', async () => {
    const folder = await temporaryFolder();
    const first = await opened(folder);
    await fill(first, 3);
    await rm(progressPath(folder));
    expect(await acceptLoss(folder, { now: 0 })).toMatchObject({
      ok: false,
      refusal: { code: 'journal_locked' },
    });
    await first.close();
  });

  it.each([
    ['removed', rm, 'ENOENT'],
    ['replaced', replaceByCopy, 'were removed or replaced'],
  ] as const)(
    'I-1: a %s segment is noticed at once, and nothing more is acknowledged',
    async (_, change, why) => {
      const folder = await temporaryFolder();
      const journal = await opened(folder);
      await fill(journal, 3);
      await change(segmentPath(folder, { number: 1, generation: 0 }));
      await expectUnavailable(journal, 'were removed or replaced');
      await expectUnavailable(journal, why);
      await journal.close();
    },
  );
});
