import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { collect, texts } from '../testing/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { describeCutOff, progressPath } from './segments/index.js';
import { crashedJournal } from './testing/crashed-journal.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

describe('damage to the last batch of a journal that was not closed', () => {
  const temporaryFolder = useTemporaryFolder({ inMemory: true });

  it.each([[['one']], [['one', 'two', 'three']]])(
    'I-1: a changed bit in the last acknowledged batch is refused with its position, after %j',
    async (said) => {
      const { folder, file, bytes, offset, end } = await crashedJournal(temporaryFolder, ...said);
      const place = bytes.lastIndexOf(`"${said.at(-1)}"`) + 1;
      bytes[place] = (bytes[place] ?? 0) ^ 0x04;
      await writeFile(file, bytes);
      const details = { file, offset, acknowledged: end };
      expect(await openLocalJournal(folder)).toMatchObject({
        ok: false,
        refusal: { code: 'journal_damaged', details },
      });
      expect(await verifyLocalJournal(folder)).toMatchObject({
        ok: true,
        value: { records: said.length - 1, faults: [{ file, offset, refusal: { details } }] },
      });
      expect((await readFile(file)).equals(bytes)).toBe(true);
    },
  );

  it('I-1: an unacknowledged batch is dropped if a part is missing, and refused if none is', async () => {
    const { folder, file, bytes, offset, end, before } = await crashedJournal(temporaryFolder, 'one', 'two');
    // The state when the power fails before the batch is acknowledged.
    const progress = progressPath(folder);
    for (const at of [offset, offset + 20, end - 3]) {
      const torn = Buffer.from(bytes);
      torn[at] = 0;
      await writeFile(file, torn);
      await writeFile(progress, before);
      const journal = await opened(folder);
      expect(journal.recovery).toEqual({ dropped: { file, offset, bytes: end - offset } });
      expect(texts(await collect(journal.read('main/proposal/1')))).toEqual(['one']);
      await journal.close();
    }
    bytes[end - 2] = 0x21;
    await writeFile(file, bytes);
    await writeFile(progress, before);
    const details = { file, offset, last: end - offset };
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { details } });
  });

  it('what was cut off is reported with the file, the byte and what it can mean', () => {
    const told = describeCutOff({ file: '/data/1.segment', offset: 776, bytes: 200 });
    expect(told).toContain('The last 200 bytes of /data/1.segment, from byte 776, are not a complete batch.');
    expect(told).toContain('never acknowledged');
    expect(told).toContain('damaged');
  });
});
