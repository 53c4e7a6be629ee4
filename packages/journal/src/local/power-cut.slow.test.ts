import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '@proffer/core/json';
import { describe, expect, it } from 'vitest';
import { appended, collect, sample, texts } from '../testing/index.js';
import { progressPath, segmentPath } from './segments/index.js';
import { faultyDisk, type Operation } from './testing/faulty-disk.js';
import { opened } from './testing/open.js';
import { isLasting, useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

/** The last write of a journal, and the folder as it was before. */
interface LastWrite {
  readonly folder: string;
  readonly file: string;
  readonly before: Buffer;
  /** The progress that the journal recorded. */
  readonly progress: Buffer;
  readonly position: number;
  readonly bytes: Uint8Array;
}

const AT_ONCE = 7;

describe('a power cut', () => {
  const temporaryFolder = useTemporaryFolder({ inMemory: true });

  /** Writes three batches and records the last write, an append of two records. */
  async function lastWrite(): Promise<LastWrite> {
    const folder = await temporaryFolder();
    const writes: Operation[] = [];
    const disk = faultyDisk((operation) => {
      if (operation.kind === 'write' && operation.position !== undefined) writes.push(operation);
      return undefined;
    });
    const journal = await opened(folder, { disk });
    appended(await journal.append('main/proposal/1', 0, [sample('one')]));
    appended(await journal.append('main/proposal/2', 0, [sample('two')]));
    const file = segmentPath(folder, { number: 1, generation: 0 });
    const before = await readFile(file);
    const progress = await readFile(progressPath(folder));
    appended(await journal.append('main/proposal/1', 1, [sample('three'), sample('four')]));
    const last = writes.at(-1);
    await journal.close();
    const { position = 0, bytes = new Uint8Array() } = last ?? {};
    return { folder, file, before, progress, position, bytes };
  }

  async function copyOf(write: LastWrite): Promise<LastWrite> {
    const folder = join(await temporaryFolder(), 'copy');
    await cp(write.folder, folder, { recursive: true });
    return { ...write, folder, file: segmentPath(folder, { number: 1, generation: 0 }) };
  }

  async function reopen({ folder, file, progress }: LastWrite, content: Buffer) {
    await writeFile(file, content);
    await writeFile(progressPath(folder), progress);
    const verified = await verifyLocalJournal(folder);
    const journal = await opened(folder);
    const found = texts(await collect(journal.feed('main', 0, { follow: false })));
    const { recovery } = journal;
    // Checking before the start reports the same as starting.
    const told = defined({ cutOff: recovery.dropped });
    expect(verified.ok && verified.value).toEqual({ records: found.length, streams: 2, faults: [], ...told });
    expect((await journal.verify()).faults).toEqual([]);
    expect(await journal.head('main/proposal/1')).toMatchObject({ version: found.length === 4 ? 3 : 1 });
    await journal.close();
    return { found, recovery };
  }

  it('I-1: at every byte of the last write, keeps what was acknowledged and drops the rest', async () => {
    const original = await lastWrite();
    const { before, position, bytes } = original;
    expect(bytes.length).toBeGreaterThan(300);
    const tryFrom = async (first: number): Promise<void> => {
      const write = await copyOf(original);
      for (let length = first; length <= bytes.length; length += AT_ONCE) {
        const torn = Buffer.concat([before.subarray(0, position), bytes.subarray(0, length)]);
        // The file is as long as what was written, or as what is preallocated.
        const content = length % 2 === 0 ? torn : Buffer.concat([torn, before.subarray(torn.length)]);
        const { found, recovery } = await reopen(write, content);
        const whole = length === bytes.length;
        expect(found).toEqual(whole ? ['one', 'two', 'three', 'four'] : ['one', 'two']);
        const dropped = { dropped: { file: write.file, offset: position, bytes: length } };
        expect(recovery).toEqual(whole || length === 0 ? {} : dropped);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => tryFrom(first)));
  });

  it('I-1: if any blocks of the last write are missing, drops all of it', async () => {
    const write = await lastWrite();
    const { before, position, bytes } = write;
    const size = 64;
    for (let missing = 0; missing * size < bytes.length; missing++) {
      const partial = Buffer.from(bytes);
      partial.subarray(missing * size, (missing + 1) * size).fill(0);
      const { found } = await reopen(write, Buffer.concat([before.subarray(0, position), partial]));
      expect(found).toEqual(['one', 'two']);
    }
  });

  it('I-1: the remains of a torn write do not come back after later writes', async () => {
    const write = await lastWrite();
    const torn = Buffer.concat([write.before.subarray(0, write.position), write.bytes.subarray(0, 200)]);
    await writeFile(write.file, torn);
    await writeFile(progressPath(write.folder), write.progress);
    const journal = await opened(write.folder);
    appended(await journal.append('main/proposal/1', 1, [sample('instead')]));
    // A copy of the folder is what a power cut right after the acknowledgement leaves.
    const copy = join(await temporaryFolder(), 'copy');
    await cp(write.folder, copy, { recursive: true, filter: isLasting });
    await journal.close();
    const again = await opened(copy);
    expect(texts(await collect(again.feed('main', 0, { follow: false })))).toEqual(['one', 'two', 'instead']);
    expect((await again.verify()).faults).toEqual([]);
    await again.close();
  });

  it('I-1: a segment that was only created is created again', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder, { segmentBytes: 1 });
    appended(await journal.append('main/proposal/1', 0, [sample('one')]));
    appended(await journal.append('main/proposal/1', 1, [sample('two')]));
    const progress = await readFile(progressPath(folder));
    await journal.compact({ before: 0, keep: () => true });
    await journal.close();
    const last = segmentPath(folder, { number: 3, generation: 0 });
    const begun = await readFile(last);
    for (let length = 0; length <= begun.length; length += 7) {
      await writeFile(last, begun.subarray(0, length));
      // It is recorded only once it exists.
      await writeFile(progressPath(folder), progress);
      const again = await opened(folder);
      expect(texts(await collect(again.read('main/proposal/1')))).toEqual(['one', 'two']);
      await again.close();
    }
  });
});
