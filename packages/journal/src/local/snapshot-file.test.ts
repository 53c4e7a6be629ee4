import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { SnapshotStore } from '../journal.js';
import { appended, sample } from '../testing/index.js';
import { acceptLoss } from './accept-loss.js';
import { snapshotPath } from './segments/index.js';
import { faultyDisk } from './testing/faulty-disk.js';
import { copyAlive, fill, filled } from './testing/filled.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

const PIECES = ['one\n', `${'two '.repeat(1_000)}\n`, 'drei für später\n'];

/** What a start finds; `damaged` if it must do without. */
async function found(snapshots: SnapshotStore): Promise<unknown> {
  try {
    const saved = await snapshots.load();
    if (saved === undefined) return undefined;
    const pieces: string[] = [];
    for await (const piece of saved.pieces()) pieces.push(piece);
    return { seq: saved.seq, pieces };
  } catch (error) {
    return (error as { refusal?: { code: string } }).refusal?.code ?? error;
  }
}

describe('a snapshot', () => {
  const temporaryFolder = useTemporaryFolder();

  /** A journal of ten records with a snapshot of nine of them. */
  async function saved(): Promise<string> {
    const folder = await temporaryFolder();
    const journal = await opened(folder);
    await fill(journal, 9);
    expect(await journal.snapshots.save(9, PIECES)).toBe(true);
    appended(await journal.append('main/proposal/0', 3, [sample('m-9')]));
    await journal.close();
    return folder;
  }

  /** Another journal with as many records. */
  async function filledOtherwise(folder: string): Promise<void> {
    const journal = await opened(folder);
    for (let index = 0; index < 10; index++)
      appended(await journal.append('main/proposal/2', index, [sample(`other-${index}`)]));
    await journal.close();
  }

  /** What the next start finds in a folder. */
  async function foundIn(folder: string): Promise<unknown> {
    const journal = await opened(folder);
    const result = await found(journal.snapshots);
    await journal.close();
    return result;
  }

  it('is found by the next start, and does not disturb `verify`', async () => {
    const folder = await saved();
    expect(await foundIn(folder)).toEqual({ seq: 9, pieces: PIECES });
    expect(await verifyLocalJournal(folder)).toMatchObject({ ok: true, value: { faults: [] } });
  });

  it('may be removed at any time, even while the journal is open', async () => {
    const folder = await saved();
    const journal = await opened(folder);
    await rm(snapshotPath(folder));
    expect(await found(journal.snapshots)).toBeUndefined();
    expect(await journal.snapshots.save(10, PIECES)).toBe(true);
    expect(await found(journal.snapshots)).toEqual({ seq: 10, pieces: PIECES });
    await journal.close();
  });

  it('is not used if any byte was changed, or any part is missing', async () => {
    const folder = await saved();
    const path = snapshotPath(folder);
    const whole = await readFile(path);
    const journal = await opened(folder);
    for (let at = 0; at < whole.length; at += 61) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] as number) ^ 1;
      await writeFile(path, changed);
      expect(await found(journal.snapshots), `byte ${at}`).toBe('journal_damaged');
      await writeFile(path, whole);
      await truncate(path, at);
      expect(await found(journal.snapshots), `${at} bytes`).toBe('journal_damaged');
    }
    await writeFile(path, Buffer.concat([whole, whole]));
    expect(await found(journal.snapshots)).toBe('journal_damaged');
    await journal.close();
  });

  it('is not used with another journal, or with an older state of its own', async () => {
    const folder = await saved();
    const other = await temporaryFolder();
    await filledOtherwise(other);
    await writeFile(snapshotPath(other), await readFile(snapshotPath(folder)));
    expect(await foundIn(other)).toBeUndefined();
    const backup = await temporaryFolder();
    await filled(backup, 5);
    await writeFile(snapshotPath(backup), await readFile(snapshotPath(folder)));
    expect(await foundIn(backup)).toBeUndefined();
  });

  it('is not used if it includes records of an accepted loss', async () => {
    const folder = await saved();
    const segment = `${folder}/00000001.0000.segment`;
    const bytes = await readFile(segment);
    const at = bytes.indexOf('m-4');
    bytes[at] = (bytes[at] as number) ^ 1;
    await writeFile(segment, bytes);
    expect((await acceptLoss(folder, { now: 1 })).ok).toBe(true);
    expect(await foundIn(folder)).toBeUndefined();
  });

  it('survives retention, which removes only finished streams', async () => {
    const folder = await saved();
    const journal = await opened(folder);
    await journal.compact({ before: Number.MAX_SAFE_INTEGER, keep: ({ stream }) => !stream.endsWith('/1') });
    expect(await found(journal.snapshots)).toEqual({ seq: 9, pieces: PIECES });
    await journal.compact({ before: Number.MAX_SAFE_INTEGER, keep: () => false });
    await journal.close();
    const after = await opened(folder);
    expect(await found(after.snapshots)).toBeUndefined();
    expect(await after.snapshots.save(9, PIECES)).toBe(false);
    await after.close();
  });

  it('I-1: if writing is interrupted at any point, the previous one or the new one is there', async () => {
    const folder = await saved();
    const copies: string[] = [];
    let isSaving = false;
    const disk = faultyDisk(async ({ kind }) => {
      if (isSaving) copies.push(await copyAlive(folder, await temporaryFolder()));
      // Half of each write is what a kill in the middle of it leaves.
      return isSaving && kind === 'write' ? { share: 0.5 } : undefined;
    });
    const journal = await opened(folder, { disk });
    isSaving = true;
    await journal.snapshots.save(10, PIECES);
    isSaving = false;
    await journal.close();
    expect(copies.length).toBeGreaterThan(2 * PIECES.length);
    for (const copy of copies) expect(await foundIn(copy)).toEqual({ seq: 9, pieces: PIECES });
    expect(await foundIn(folder)).toEqual({ seq: 10, pieces: PIECES });
  });
});
