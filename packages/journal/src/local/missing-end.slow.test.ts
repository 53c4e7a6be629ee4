import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { collect, texts } from '../testing/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { indexPath, listFolder, progressPath, segmentPath } from './segments/index.js';
import { copyAlive, fill, filled } from './testing/filled.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

const temporaryFolder = useTemporaryFolder();
const SMALL = { segmentBytes: 900 };

/** Each case is refused on opening and by `verify`, both with the position, and nothing is modified. */
async function expectRefused(folder: string, place: { readonly file: string; readonly offset: number }) {
  const before = await lasting(folder);
  expect(await openLocalJournal(folder)).toMatchObject({
    ok: false,
    refusal: { code: 'journal_damaged', details: place },
  });
  expect(await lasting(folder)).toEqual(before);
  const verified = await verifyLocalJournal(folder);
  if (verified.ok)
    expect(verified.value.faults.map(({ refusal }) => refusal.details)).toContainEqual(
      expect.objectContaining(place),
    );
  else expect(verified.refusal).toMatchObject({ code: 'journal_damaged', details: place });
}

/** The names in a folder, without indexes, which are created if missing. */
async function lasting(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith('.index'));
}

/**
 * A journal of several segments, closed or as its process left it when it died; the last segment and
 * its frames.
 */
async function journalOf(count: number, how: 'closed' | 'crashed', options = SMALL) {
  const original = await temporaryFolder();
  const journal = await opened(original, options);
  await fill(journal, count);
  const copy = how === 'crashed' ? await copyAlive(original, await temporaryFolder()) : undefined;
  await journal.close();
  const folder = copy ?? original;
  const { segments } = await listFolder(folder);
  const last = segmentPath(folder, segments.at(-1) ?? { number: 1, generation: 0 });
  const text = await readFile(last, 'latin1');
  const frames = Array.from(text.matchAll(/^\{"frame"/gm), ({ index }) => index);
  return { folder, last, size: text.length, frames };
}

describe.each(['closed', 'crashed'] as const)('the end of a journal that was %s', (how) => {
  it('I-1: is reported missing if the last segment is deleted, emptied or zeroed', async () => {
    const { folder, last, size } = await journalOf(10, how);
    await truncate(last, 0);
    await expectRefused(folder, { file: last, offset: 0 });
    await writeFile(last, Buffer.alloc(size));
    await expectRefused(folder, { file: last, offset: 0 });
    await rm(last);
    await expectRefused(folder, { file: last, offset: 0 });
  });

  it('I-1: is reported missing if the last segment is truncated between any two batches, or zeroed from there', async () => {
    const { folder, last, frames } = await journalOf(6, how, { segmentBytes: 100_000 });
    expect(frames.length).toBeGreaterThan(6);
    const whole = await readFile(last);
    for (const offset of frames) {
      await writeFile(last, whole.subarray(0, offset));
      await expectRefused(folder, { file: last, offset });
      await writeFile(last, Buffer.from(whole).fill(0, offset));
      await expectRefused(folder, { file: last, offset });
    }
  });

  it('I-1: is reported missing if all segments are deleted', async () => {
    const { folder } = await journalOf(10, how);
    const { segments } = await listFolder(folder);
    for (const name of segments) await rm(segmentPath(folder, name));
    const verified = await verifyLocalJournal(folder);
    expect(verified.ok && verified.value.faults.length).toBe(segments.length);
    const file = segmentPath(folder, segments.at(-1) ?? { number: 0, generation: 0 });
    await expectRefused(folder, { file, offset: 0 });
  });
});

describe('other missing parts', () => {
  it.each(['00000000.progress', 'format.json'])('I-1: %s', async (name) => {
    const folder = await temporaryFolder();
    await filled(folder, 4);
    await rm(join(folder, name));
    await expectRefused(folder, { file: join(folder, name), offset: 0 });
  });

  it('I-1: the progress file, if none of it is readable', async () => {
    const folder = await temporaryFolder();
    await filled(folder, 4);
    const file = progressPath(folder);
    await writeFile(file, Buffer.alloc(2048));
    await expectRefused(folder, { file, offset: 0 });
  });

  it('I-1: a list of removed streams, without which their ids would be free again', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder);
    await fill(journal, 3);
    await journal.compact({ before: Number.POSITIVE_INFINITY, keep: () => false });
    await journal.close();
    const file = join(folder, 'removed-00000001.list');
    await rm(file);
    await expectRefused(folder, { file, offset: 0 });
  });

  it('I-1: the records of a completed segment, even if its index is there', async () => {
    const folder = await temporaryFolder();
    await filled(folder, 12, SMALL);
    const file = segmentPath(folder, { number: 2, generation: 0 });
    const whole = await readFile(file);
    const index = await readFile(indexPath(file));
    await writeFile(file, Buffer.alloc(whole.length));
    await expectRefused(folder, { file, offset: 0 });
    await rm(indexPath(file));
    await expectRefused(folder, { file, offset: 0 });

    // If its start and end are intact, reading finds what is missing in between.
    const second = whole.toString('latin1').indexOf('{"frame"', 1);
    const third = whole.toString('latin1').indexOf('{"frame"', second + 1);
    await writeFile(file, Buffer.from(whole).fill(0, second, third));
    await writeFile(indexPath(file), index);
    const journal = await opened(folder);
    const read = () => collect(journal.feed('main', 0, { follow: false }));
    await expect(read()).rejects.toThrow(`at byte ${second}`);
    await writeFile(file, Buffer.from(whole).fill(0, second));
    await expect(read()).rejects.toThrow(`at byte ${second}`);
    await truncate(file, second);
    await expect(read()).rejects.toThrow(`at byte ${second}`);
    await journal.close();
  });
});

describe('something else in the place of a file', () => {
  const makers = [
    ['a pipe', (path: string) => Promise.resolve(execFileSync('mkfifo', [path]))],
    ['a folder', (path: string) => mkdir(path)],
    ['a link to nowhere', (path: string) => symlink('nowhere', path)],
    ['a link to itself', (path: string) => symlink(path, path)],
  ] as const;

  it.each(makers)('I-1: %s instead of a segment is refused, without blocking', async (_, make) => {
    for (const number of [2, 3]) {
      const folder = await temporaryFolder();
      await filled(folder, 8, SMALL);
      const file = segmentPath(folder, { number, generation: 0 });
      await rm(file);
      await make(file);
      await expectRefused(folder, { file, offset: 0 });
    }
  });

  it.each(makers)('I-3: %s instead of an index changes nothing', async (_, make) => {
    const folder = await temporaryFolder();
    await filled(folder, 8, SMALL);
    const index = indexPath(segmentPath(folder, { number: 1, generation: 0 }));
    await rm(index);
    await make(index);
    const journal = await opened(folder);
    const found = texts(await collect(journal.feed('main', 0, { follow: false })));
    expect(found).toEqual(Array.from({ length: 8 }, (_, at) => `m-${at}`));
    expect((await journal.verify()).faults).toEqual([]);
    await journal.close();
  });

  it.each(makers.slice(0, 2))('I-1: %s instead of the other files is refused', async (_, make) => {
    for (const name of ['00000000.progress', 'format.json', 'removed-00000001.list']) {
      const folder = await temporaryFolder();
      const journal = await opened(folder);
      await fill(journal, 3);
      await journal.compact({ before: Number.POSITIVE_INFINITY, keep: () => false });
      await journal.close();
      const file = join(folder, name);
      await rm(file);
      await make(file);
      expect(await openLocalJournal(folder)).toMatchObject({
        ok: false,
        refusal: { code: 'journal_damaged', details: { file } },
      });
    }
  });
});
