import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openLocalJournal } from './open-local-journal.js';
import { crashedJournal } from './testing/crashed-journal.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

describe('the last batch of a journal that was not closed', () => {
  const temporaryFolder = useTemporaryFolder({ inMemory: true });

  it('I-1: every changed bit in it is refused with its position, even one that becomes zero', async () => {
    const { folder, file, bytes, offset, end } = await crashedJournal(temporaryFolder, 'one', 'two');
    for (let at = offset; at < end; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(file, changed);
      expect(await openLocalJournal(folder)).toMatchObject({
        ok: false,
        refusal: { code: 'journal_damaged', details: { file, offset } },
      });
      expect(await verifyLocalJournal(folder)).toMatchObject({
        ok: true,
        value: { faults: [{ file, offset }] },
      });
    }
  });
});
