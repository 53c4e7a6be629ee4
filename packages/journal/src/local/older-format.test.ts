import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EVERY_SPACE } from '../journal.js';
import { collect } from '../testing/index.js';
import { acceptLoss } from './accept-loss.js';
import { openLocalJournal } from './open-local-journal.js';
import { formatPath, listFolder, progressPath, segmentPath } from './segments/index.js';
import { faultyDisk } from './testing/faulty-disk.js';
import { filled } from './testing/filled.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures/', import.meta.url));
const temporaryFolder = useTemporaryFolder({ inMemory: true });

async function fixture(version: string): Promise<string> {
  const folder = join(await temporaryFolder(), version);
  await cp(join(FIXTURES, version, 'journal'), folder, { recursive: true });
  return folder;
}

async function sayFormat(folder: string, format: number): Promise<void> {
  await writeFile(formatPath(folder), `${JSON.stringify({ journal: 'proffer', format })}\n`);
}

async function removeSegments(folder: string, from: number): Promise<void> {
  for (const name of (await listFolder(folder)).segments.slice(from)) await rm(segmentPath(folder, name));
}

/** Refused on opening and by `verify`; a repair can accept it, and then it opens. */
async function expectRefused(folder: string, message: string): Promise<void> {
  const refused = {
    ok: false,
    refusal: { code: 'journal_damaged', message: expect.stringContaining(message) },
  };
  expect(await openLocalJournal(folder)).toMatchObject(refused);
  expect(await openLocalJournal(folder, { reading: true })).toMatchObject(refused);
  expect(await verifyLocalJournal(folder)).toMatchObject(refused);
  const accepted = await acceptLoss(folder, { now: 0 });
  expect(accepted).toMatchObject({
    ok: true,
    value: { faults: expect.arrayContaining([expect.stringContaining(message)]) },
  });
  await (await opened(folder)).close();
}

describe('a folder that says it is of an older format', () => {
  it.each([1, 2])('I-1: %d, without its progress file and its last segment, is refused', async (format) => {
    const folder = await temporaryFolder();
    await filled(folder, 10, { segmentBytes: 900 });
    await sayFormat(folder, format);
    const says = `it says format ${format}, but 00000001.0000.segment has format 3`;
    await expectRefused(folder, says);
    await sayFormat(folder, format);
    await rm(progressPath(folder));
    await removeSegments(folder, -1);
    await expectRefused(folder, says);
  });

  it('I-1: without a segment is refused', async () => {
    const folder = await temporaryFolder();
    await filled(folder, 10);
    await rm(progressPath(folder));
    await removeSegments(folder, 0);
    await sayFormat(folder, 1);
    await expectRefused(folder, '00000001.0000.segment is damaged at byte 0: the file is missing');
  });

  it('I-1: and whose segments are of that format, but not all of them are there, is refused', async () => {
    const folder = await fixture('v2');
    await rm(progressPath(folder));
    await removeSegments(folder, -1);
    await sayFormat(folder, 1);
    await expectRefused(folder, '00000004.0000.segment is damaged at byte 0: the file is missing');
  });

  it('I-1: and has a file that this format never had, is refused', async () => {
    const folder = await fixture('v1');
    await writeFile(join(folder, 'state.snapshot'), '');
    await expectRefused(folder, 'it says format 1, but state.snapshot has format 2');
  });

  it.each(['v1', 'v2'])(
    'I-1: as it was when it was %s is refused once a newer version has opened it',
    async (version) => {
      const folder = await fixture(version);
      const { segments } = await listFolder(folder);
      await (await opened(folder)).close();
      expect((await listFolder(folder)).segments.length).toBe(segments.length + 1);
      await rm(progressPath(folder));
      await sayFormat(folder, 1);
      await expectRefused(folder, 'it says format 1, but 00000005.0000.segment has format 3');
      await rm(progressPath(folder));
      await rm(join(folder, 'losses.jsonl'));
      await removeSegments(folder, segments.length);
      await sayFormat(folder, 1);
      await expectRefused(folder, '00000005.0000.segment is damaged at byte 0: the file is missing');
    },
  );

  it.each(['v1', 'v2'])(
    'I-1: %s can still be opened when taking it over failed at any moment',
    async (version) => {
      const original = await opened(await fixture(version));
      const records = await collect(original.feed(EVERY_SPACE, 0, { follow: false }));
      await original.close();
      for (let failAt = 0, done = false; !done; failAt++) {
        const folder = await fixture(version);
        let count = 0;
        const disk = faultyDisk(({ path }) =>
          path.includes('.index') || count++ < failAt ? undefined : { code: 'EIO' },
        );
        const first = await openLocalJournal(folder, { disk });
        if (first.ok) await first.value.close();
        done = first.ok;
        expect(await verifyLocalJournal(folder)).toMatchObject({ ok: true, value: { faults: [] } });
        const journal = await opened(folder);
        expect(await collect(journal.feed(EVERY_SPACE, 0, { follow: false }))).toEqual(records);
        await journal.close();
      }
    },
  );

  it('I-3: and has any file of this version is refused', async () => {
    const original = await fixture('v3');
    const names = (await readdir(original)).filter((name) => /\.segment$|\.list$/.test(name));
    expect(names.length).toBeGreaterThan(2);
    for (const name of names) {
      const folder = await temporaryFolder();
      for (const kept of [name, '00000000.progress']) await cp(join(original, kept), join(folder, kept));
      await sayFormat(folder, 2);
      await expectRefused(folder, `it says format 2, but ${name} has format 3`);
    }
  });
});
