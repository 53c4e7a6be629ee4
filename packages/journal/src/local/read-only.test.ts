import { chmod, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { asOrdinaryUser, collect, sample, texts } from '../testing/index.js';
import { acceptLoss } from './accept-loss.js';
import { copyLocalJournal } from './copy-folder.js';
import { checkWritable, noFileAccess } from './files/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { progressPath, segmentPath } from './segments/index.js';
import { filled } from './testing/filled.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

const temporaryFolder = useTemporaryFolder();
const LAST = { number: 1, generation: 0 };

/** Restored after each test: only then can the folder be removed. */
const changed: string[] = [];
afterEach(async () => {
  for (const path of changed.splice(0)) await chmod(path, 0o700);
});

async function setMode(path: string, mode: number): Promise<void> {
  await chmod(path, mode);
  if ((await stat(path)).isDirectory()) changed.push(path);
}

/** A journal that everyone may read and nobody but root may write. */
async function readOnlyJournal(): Promise<string> {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  await filled(folder, 3);
  for (const name of await readdir(folder)) await setMode(join(folder, name), 0o444);
  await setMode(folder, 0o555);
  await setMode(join(folder, '..'), 0o755);
  return folder;
}

function refusedAs(message: string, code = 'unusable_folder') {
  return { ok: false, refusal: { code, message: expect.stringContaining(message) } };
}

async function contentsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, name), 'latin1')] as const),
    ),
  );
}

describe('a folder that cannot be written', () => {
  it('is called read-only, not damaged', async () => {
    const folder = await readOnlyJournal();
    await asOrdinaryUser(async () => {
      const says = `${progressPath(folder)} is read-only for this user (EACCES)`;
      expect(await openLocalJournal(folder)).toMatchObject(refusedAs(says));
      expect(await acceptLoss(folder, { now: 0 })).toMatchObject(refusedAs(says));
      expect(await openLocalJournal(join(folder, 'new'))).toMatchObject(
        refusedAs(`${join(folder, 'new')} is read-only for this user (EACCES)`),
      );
      expect(await checkWritable(folder)).toMatchObject({ code: 'unusable_folder' });
    });
  });

  it('can be read, verified and copied', async () => {
    const folder = await readOnlyJournal();
    const copies = await temporaryFolder();
    await chmod(copies, 0o777);
    const copy = join(copies, 'copy');
    await asOrdinaryUser(async () => {
      const journal = await opened(folder, { reading: true });
      expect(texts(await collect(journal.feed('main', 0, { follow: false })))).toEqual(['m-0', 'm-1', 'm-2']);
      await journal.close();
      expect(await verifyLocalJournal(folder)).toMatchObject({ ok: true, value: { faults: [] } });
      expect(await copyLocalJournal(folder, copy)).toMatchObject({ ok: true, value: { records: 3 } });
      expect(await copyLocalJournal(folder, join(folder, 'copy'))).toMatchObject(refusedAs('is read-only'));
      await (await opened(copy)).close();
    });
  });

  it.each([
    ['the lock', progressPath],
    ['the last segment', (folder: string) => segmentPath(folder, LAST)],
  ])('is refused with the file if only %s may not be written', async (_, fileOf) => {
    const folder = await readOnlyJournal();
    await setMode(folder, 0o777);
    for (const name of await readdir(folder)) await setMode(join(folder, name), 0o666);
    await setMode(fileOf(folder), 0o444);
    await asOrdinaryUser(async () => {
      const says = `${fileOf(folder)} is read-only for this user (EACCES)`;
      expect(await openLocalJournal(folder)).toMatchObject(refusedAs(says));
      expect((await checkWritable(folder))?.message).toContain(says);
    });
  });

  it('is refused with the file that may not even be read', async () => {
    const folder = await readOnlyJournal();
    await setMode(segmentPath(folder, LAST), 0o000);
    await asOrdinaryUser(async () => {
      const says = `${segmentPath(folder, LAST)} cannot be read by this user (EACCES)`;
      expect(await openLocalJournal(folder, { reading: true })).toMatchObject(refusedAs(says));
      expect(await verifyLocalJournal(folder)).toMatchObject(refusedAs(says));
    });
    await setMode(folder, 0o111);
    await asOrdinaryUser(async () => {
      expect(await verifyLocalJournal(folder)).toMatchObject(
        refusedAs(`${folder} cannot be read by this user`),
      );
    });
  });

  it('is not repaired: a file that may not be read is not a lost one', async () => {
    const folder = join(await temporaryFolder(), 'data');
    await filled(folder, 12, { segmentBytes: 900 });
    await setMode(folder, 0o777);
    await setMode(join(folder, '..'), 0o755);
    for (const name of await readdir(folder)) await setMode(join(folder, name), 0o666);
    await setMode(segmentPath(folder, LAST), 0o000);
    const before = await readdir(folder);
    await asOrdinaryUser(async () => {
      const says = `${segmentPath(folder, LAST)} cannot be read by this user (EACCES)`;
      expect(await acceptLoss(folder, { now: 0 })).toMatchObject(refusedAs(says));
    });
    expect(await readdir(folder)).toEqual(before);
  });

  it.each([
    [
      'EROFS',
      'unusable_folder',
      '/data is read-only: its file system is mounted read-only (EROFS). Mount it for writing',
    ],
    ['EPERM', 'unusable_folder', '/data is read-only for this user (EPERM).'],
    ['ENOSPC', 'disk_full', '/data cannot be written: the disk is full (ENOSPC).'],
    ['EDQUOT', 'disk_full', "/data cannot be written: this user's quota is used up (EDQUOT)."],
  ])('is told from a damaged one by %s', (code, refused, message) => {
    const refusal = noFileAccess('/data', Object.assign(new Error(code), { code }), 'write');
    expect(refusal).toMatchObject({ code: refused, message: expect.stringContaining(message) });
  });

  it('says whom it belongs to, if that is another user', async () => {
    const folder = await readOnlyJournal();
    const { uid } = await stat(folder);
    await asOrdinaryUser(() => {
      const refusal = noFileAccess(folder, Object.assign(new Error('no'), { code: 'EACCES' }), 'write');
      const isMine = process.geteuid?.() === uid;
      expect(refusal?.message.includes(`it belongs to user ${uid}`)).toBe(!isMine);
      return Promise.resolve();
    });
  });
});

describe('a journal opened for reading', () => {
  it('changes nothing, takes nothing, and can be read by others at the same time', async () => {
    const folder = await temporaryFolder();
    await filled(folder, 8, { segmentBytes: 900 });
    const before = await contentsOf(folder);
    const journal = await opened(folder, { reading: true });
    const other = await opened(folder, { reading: true });
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_locked' } });
    for (const stream of ['main/proposal/0', 'main/proposal/new']) {
      const { version } = await journal.head(stream);
      expect(await journal.append(stream, version, [sample('no')])).toMatchObject({ status: 'unavailable' });
    }
    await other.close();
    await journal.close();
    expect(await contentsOf(folder)).toEqual(before);
    await (await opened(folder)).close();
  });

  it('does not open while it is written', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder);
    expect(await openLocalJournal(folder, { reading: true })).toMatchObject({
      ok: false,
      refusal: { code: 'journal_locked', details: { pid: process.pid } },
    });
    await journal.close();
  });

  it('is refused if there is none', async () => {
    const folder = await temporaryFolder();
    expect(await openLocalJournal(folder, { reading: true })).toMatchObject({
      ok: false,
      refusal: { message: expect.stringContaining('There is no journal') },
    });
    expect(await readdir(folder)).toEqual([]);
  });
});
