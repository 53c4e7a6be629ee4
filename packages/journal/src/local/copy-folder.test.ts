import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EVERY_SPACE, type Journal } from '../journal.js';
import type { StoredRecord } from '../stored-record.js';
import { appended, collect, sample } from '../testing/index.js';
import { copyLocalJournal } from './copy-folder.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

const temporaryFolder = useTemporaryFolder();

const everything = (journal: Journal): Promise<StoredRecord[]> =>
  collect(journal.feed(EVERY_SPACE, 0, { follow: false }));

it('I-1, I-3: copies a journal during writes and compaction with everything acknowledged before', async () => {
  const folder = await temporaryFolder();
  const target = join(await temporaryFolder(), 'copy');
  const journal = await opened(folder, { segmentBytes: 8_000 });
  const over = new AbortController();
  let number = 0;
  const write = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const stream = `main/proposal/${number++}`;
      appended(await journal.append(stream, 0, [sample('x'.repeat(200), number % 3 === 0 ? 1000 : 9000)]));
    }
  };
  const working = Promise.all([write(), write()]);
  await expect.poll(() => number).toBeGreaterThan(150);
  const before = await journal.lastSeq(EVERY_SPACE);
  const copying = copyLocalJournal(folder, target);
  await journal.compact({ before: 5000, keep: () => false });
  const copied = await copying;
  over.abort();
  await working;
  if (!copied.ok) throw new Error(copied.refusal.message);
  expect(copied.value.seq).toBeGreaterThanOrEqual(before);
  const copy = await opened(target, {});
  const there = await everything(journal);
  const here = new Set((await everything(copy)).map((record) => JSON.stringify(record)));
  // Streams removed since are still in the copy; the rest is the same.
  for (const record of there.filter(({ seq }) => seq <= copied.value.seq))
    expect(here.has(JSON.stringify(record))).toBe(true);
  expect(await copy.verify()).toMatchObject({ faults: [] });
  // The copy accepts appends.
  const [next] = appended(await copy.append('main/proposal/next', 0, [sample('next')]));
  expect(next?.seq).toBeGreaterThan(copied.value.seq);
  await copy.close();
  await journal.close();
});

it('refuses a non-empty target and a source without a journal; an incomplete copy is not a journal', async () => {
  const folder = await temporaryFolder();
  const target = await temporaryFolder();
  expect(await copyLocalJournal(folder, join(target, 'new'))).toMatchObject({ ok: false });
  const journal = await opened(folder, {});
  appended(await journal.append('main/proposal/1', 0, [sample('one')]));
  await writeFile(join(target, 'note.txt'), 'mine');
  expect(await copyLocalJournal(folder, target)).toMatchObject({
    ok: false,
    refusal: { code: 'unusable_folder', message: expect.stringContaining('not empty') },
  });
  expect(await readdir(target)).toContain('note.txt');
  const copy = join(target, 'copy');
  await mkdir(copy);
  expect(await copyLocalJournal(folder, copy)).toMatchObject({ ok: true, value: { records: 1 } });
  await rm(join(copy, 'format.json'));
  await expect(opened(copy, {})).rejects.toThrow('format.json');
  await journal.close();
});
