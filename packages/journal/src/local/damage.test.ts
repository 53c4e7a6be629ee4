import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appended, collect, saltedSample, sample, texts } from '../testing/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { JOURNAL_FORMAT, segmentPath } from './segments/index.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

describe('damage', () => {
  const temporaryFolder = useTemporaryFolder({ inMemory: true });

  /** A closed journal with `count` batches; in one segment, or in many. */
  async function journalWith(count: number, segmentBytes = 1_000_000): Promise<string> {
    const folder = await temporaryFolder();
    const journal = await opened(folder, { segmentBytes });
    for (let index = 0; index < count; index++) {
      appended(
        await journal.append(`main/proposal/${index % 3}`, Math.floor(index / 3), [
          (index === 1 ? saltedSample : sample)(`m-${index}`),
        ]),
      );
    }
    await journal.close();
    return folder;
  }

  async function change(file: string, find: string, replacement: string): Promise<number> {
    const content = await readFile(file, 'latin1');
    const place = content.indexOf(find);
    expect(place).toBeGreaterThan(0);
    await writeFile(file, content.replace(find, replacement), 'latin1');
    return place;
  }

  it('I-1: a changed byte in the middle is refused with the file and the byte, and nothing is modified', async () => {
    const folder = await journalWith(9);
    const file = segmentPath(folder, { number: 1, generation: 0 });
    const place = await change(file, '"m-4"', '"m-X"');
    const before = await readFile(file);
    const refused = await openLocalJournal(folder);
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'journal_damaged', details: { file } } });
    const offset = refused.ok ? 0 : Number(refused.refusal.details['offset']);
    expect(before.toString('latin1').lastIndexOf('{"frame":"batch"', place)).toBe(offset);
    expect(await readFile(file)).toEqual(before);
    expect(refused.ok ? '' : refused.refusal.message).toContain('Restore the folder from a backup');
  });

  it('I-1: damage to the very last batch of a closed journal is not mistaken for a torn write', async () => {
    const folder = await journalWith(4);
    await change(segmentPath(folder, { number: 1, generation: 0 }), '"m-3"', '"m-X"');
    expect(await openLocalJournal(folder)).toMatchObject({
      ok: false,
      refusal: { code: 'journal_damaged' },
    });
  });

  it('I-1: every single changed byte of a closed journal is detected, or harmless', async () => {
    const folder = await journalWith(2);
    const file = segmentPath(folder, { number: 1, generation: 0 });
    const whole = await readFile(file);
    for (let at = 0; at < whole.length; at++) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      await writeFile(file, changed);
      const result = await openLocalJournal(folder);
      if (!result.ok) {
        expect(result.refusal.code).toBe('journal_damaged');
        continue;
      }
      // Only the closing mark can change without loss.
      expect(texts(await collect(result.value.feed('main', 0, { follow: false })))).toEqual(['m-0', 'm-1']);
      await result.value.close();
      await writeFile(file, whole);
    }
  });

  it('I-1: a missing or truncated segment is refused', async () => {
    const folder = await journalWith(9, 600);
    const second = segmentPath(folder, { number: 2, generation: 0 });
    const content = await readFile(second);
    await truncate(second, content.toString('latin1').lastIndexOf('{"frame":"mark"'));
    expect(await openLocalJournal(folder)).toMatchObject({
      ok: false,
      refusal: { code: 'journal_damaged', details: { file: second } },
    });
    await rm(second);
    expect(await openLocalJournal(folder)).toMatchObject({
      ok: false,
      refusal: { code: 'journal_damaged', details: { file: second, offset: 0 } },
    });
  });

  it('I-1: misplaced or repeated batches are refused', async () => {
    const folder = await journalWith(4);
    const file = segmentPath(folder, { number: 1, generation: 0 });
    const content = await readFile(file, 'latin1');
    const [header = '', first = '', second = '', ...rest] = content.split(/(?=^\{"frame")/m);
    for (const parts of [
      [header, second, first, ...rest],
      [header, first, first, second, ...rest],
      [header, second, ...rest],
    ]) {
      await writeFile(file, parts.join(''), 'latin1');
      const refused = await openLocalJournal(folder);
      expect(refused).toMatchObject({ ok: false, refusal: { code: 'journal_damaged', details: { file } } });
    }
  });

  it('verify reports the first fault of each stream with its exact position', async () => {
    const folder = await journalWith(9);
    const file = segmentPath(folder, { number: 1, generation: 0 });
    await forge(file, '"m-4"', '"m-X"');
    const report = await verifyLocalJournal(folder);
    const offset = (await readFile(file, 'latin1')).indexOf('{"seq":5,');
    expect(report).toMatchObject({
      ok: true,
      value: {
        records: 9,
        streams: 3,
        faults: [{ file, offset, stream: 'main/proposal/1', version: 2, refusal: { code: 'wrong_hash' } }],
      },
    });
  });

  it('verify continues after an unreadable part, and reports which streams lack records', async () => {
    const folder = await journalWith(9);
    const file = segmentPath(folder, { number: 1, generation: 0 });
    await change(file, '"m-4"', '"m-X"');
    const report = await verifyLocalJournal(folder);
    expect(report).toMatchObject({
      ok: true,
      value: {
        records: 8,
        faults: [
          { file, refusal: { code: 'journal_damaged' } },
          { file, stream: 'main/proposal/1', version: 3, refusal: { code: 'record_out_of_order' } },
        ],
      },
    });
  });

  it('an unknown format, and a folder without one, are refused', async () => {
    const folder = await journalWith(1);
    const file = join(folder, 'format.json');
    await writeFile(file, JSON.stringify({ journal: 'proffer', format: JOURNAL_FORMAT + 1 }));
    expect(await openLocalJournal(folder)).toMatchObject({
      ok: false,
      refusal: {
        code: 'unknown_journal_format',
        details: { found: JOURNAL_FORMAT + 1, expected: JOURNAL_FORMAT },
      },
    });
    await rm(file);
    expect(await openLocalJournal(folder)).toMatchObject({ ok: false, refusal: { code: 'journal_damaged' } });
  });

  it('I-3: opens the same with indexes, without them, and with damaged ones', async () => {
    const folder = await journalWith(30, 600);
    const indexes = (await readdir(folder)).filter((name) => name.endsWith('.index'));
    expect(indexes.length).toBeGreaterThan(3);
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      const journal = await opened(folder);
      const records = await collect(journal.feed('main', 0, { follow: false }));
      seen.push([
        records,
        await journal.head('main/proposal/2'),
        await collect(journal.read('main/proposal/2')),
      ]);
      await journal.close();
    };
    await look();
    for (const name of indexes) await writeFile(join(folder, name), 'damaged');
    await look();
    for (const name of indexes) await rm(join(folder, name));
    await look();
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    // They are rebuilt.
    expect((await readdir(folder)).filter((name) => name.endsWith('.index'))).toEqual(indexes);
  });
});

/** Changes a record as an expert would: with a valid checksum, but different content. */
async function forge(file: string, find: string, replacement: string): Promise<void> {
  const { encodeFrame, parseHeader } = await import('./segments/frame.js');
  let rest = await readFile(file);
  const frames: Buffer[] = [];
  while (rest.length > 0) {
    const header = parseHeader(rest);
    if (header === undefined) throw new Error('The file is not a segment.');
    const body = rest.toString('utf8', header.bodyStart, header.bodyEnd).replaceAll(find, replacement);
    frames.push(encodeFrame(header.kind, header.number, body));
    rest = rest.subarray(header.bodyEnd);
  }
  await writeFile(file, Buffer.concat(frames));
}
