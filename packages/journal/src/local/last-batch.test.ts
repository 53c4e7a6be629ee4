import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appended, collect, sample, texts } from '../testing/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { describeCutOff, segmentPath } from './segments/index.js';
import { opened } from './testing/open.js';
import { isLasting, useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

describe('damage to the last batch of a journal that was not closed', () => {
  const temporaryFolder = useTemporaryFolder();

  /** A copy of a journal while it is open, as a crash leaves it. */
  async function crashed(...said: readonly string[]) {
    const folder = join(await temporaryFolder(), 'copy');
    const original = await temporaryFolder();
    const journal = await opened(original);
    for (const [version, text] of said.entries())
      appended(await journal.append('main/proposal/1', version, [sample(text)]));
    await cp(original, folder, { recursive: true, filter: isLasting });
    await journal.close();
    const file = segmentPath(folder, { number: 1, generation: 0 });
    const bytes = await readFile(file);
    const offset = bytes.lastIndexOf('{"frame":"batch"');
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
    return { folder, file, bytes, offset, end };
  }

  it.each([[['one']], [['one', 'two', 'three']]])(
    'I-1: a changed bit of what was acknowledged last is refused with its place, after %j',
    async (said) => {
      const { folder, file, bytes, offset, end } = await crashed(...said);
      const place = bytes.lastIndexOf(`"${said.at(-1)}"`) + 1;
      bytes[place] = (bytes[place] ?? 0) ^ 0x04;
      await writeFile(file, bytes);
      const details = { file, offset, last: end - offset };
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

  it('I-1: no changed bit of it goes without a word, and where one leaves no doubt it is refused', async () => {
    const { folder, file, bytes, offset, end } = await crashed('one', 'two');
    for (let at = offset; at < end; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await writeFile(file, changed);
      const verified = await verifyLocalJournal(folder);
      const result = await openLocalJournal(folder);
      if (!result.ok) {
        expect(result.refusal).toMatchObject({ code: 'journal_damaged', details: { file, offset } });
        expect(verified).toMatchObject({ ok: true, value: { faults: [{ file, offset }] } });
        continue;
      }
      // Only a byte that became zero looks as if it had not been written.
      expect(changed[at]).toBe(0);
      const dropped = { file, offset, bytes: at === end - 1 ? end - 1 - offset : end - offset };
      expect(result.value.recovery).toEqual({ dropped });
      expect(verified).toMatchObject({ ok: true, value: { faults: [], cutOff: dropped } });
      await result.value.close();
    }
  });

  it('I-1: what is refused opens again without it once it is cut off at the byte that was named', async () => {
    const { folder, file, bytes, offset, end } = await crashed('one', 'two');
    bytes[end - 2] = 0x21;
    await writeFile(file, bytes);
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { details: { offset } } });
    await writeFile(file, bytes.subarray(0, offset));
    const journal = await opened(folder);
    expect(texts(await collect(journal.read('main/proposal/1')))).toEqual(['one']);
    expect(journal.recovery).toEqual({});
    await journal.close();
  });

  it('what was cut off is told with the file, the byte and what it can mean', () => {
    const told = describeCutOff({ file: '/data/1.segment', offset: 776, bytes: 200 });
    expect(told).toContain('The last 200 bytes of /data/1.segment, from byte 776, are not a whole batch.');
    expect(told).toContain('never acknowledged');
    expect(told).toContain('damaged');
  });
});
