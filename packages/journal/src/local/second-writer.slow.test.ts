import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appended, collect, sample, texts } from '../testing/index.js';
import type { LocalJournal } from './local-journal.js';
import { openLocalJournal } from './open-local-journal.js';
import { progressPath, segmentPath } from './segments/index.js';
import { startAppender } from './testing/child-process.js';
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

async function everything(journal: LocalJournal): Promise<readonly string[]> {
  return texts(await collect(journal.feed('main', 0, { follow: false })));
}

describe('a second writer', () => {
  it('I-2: is kept out by a lock that no other process can remove, whatever is deleted from the folder', async () => {
    const folder = await temporaryFolder();
    const appender = startAppender([folder, '0']);
    await appender.lines(2);
    await rm(progressPath(folder));
    // Checked from another process.
    expect(await openLocalJournal(folder)).toMatchObject({
      ok: false,
      refusal: { code: 'journal_damaged', details: { file: progressPath(folder) } },
    });
    await rm(join(folder, 'format.json'));
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_damaged' } });
    await appender.kill();
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

  it('I-1: a removed segment is noticed within milliseconds, and nothing more is acknowledged', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder);
    await fill(journal, 3);
    await rm(segmentPath(folder, { number: 1, generation: 0 }));
    await untilMoved(journal);
    await expectUnavailable(journal, 'ENOENT');
    await journal.close();
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_damaged' } });
  });
});
