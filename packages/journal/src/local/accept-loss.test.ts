import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appended, collect, sample, texts } from '../testing/index.js';
import { acceptLoss } from './accept-loss.js';
import { openLocalJournal } from './open-local-journal.js';
import { indexPath, listFolder, progressPath, segmentPath } from './segments/index.js';
import { filled } from './testing/filled.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';
import { verifyLocalJournal } from './verify.js';

const temporaryFolder = useTemporaryFolder();
const NOW = { now: 1_700_000_000_000 };
const COUNT = 10;

/** Damages a journal of several segments in one way. */
type Damage = (folder: string, segments: readonly string[]) => Promise<void>;

const DAMAGES: readonly (readonly [what: string, damage: Damage])[] = [
  ['the last segment is missing', (_, segments) => rm(segments.at(-1) ?? '')],
  ['the last segment is empty', (_, segments) => truncate(segments.at(-1) ?? '', 0)],
  ['a segment in the middle is missing', (_, segments) => rm(segments[1] ?? '')],
  ['a segment in the middle is zeros', (_, segments) => writeFile(segments[1] ?? '', Buffer.alloc(900))],
  [
    'a byte in the middle is another',
    async (_, segments) => {
      const file = segments[1] ?? '';
      const text = await readFile(file, 'latin1');
      await writeFile(file, text.replace(/"m-\d"/, '"m-X"'), 'latin1');
      // With the index in place, only reading the records finds the damage.
      await rm(indexPath(file));
    },
  ],
  [
    'all segments are missing',
    async (_, segments) => {
      for (const file of segments) await rm(file);
    },
  ],
  ['nothing says how far it got', (folder) => rm(progressPath(folder))],
  ['nothing says which format it has', (folder) => rm(join(folder, 'format.json'))],
];

describe('accepting a loss', () => {
  it.each(DAMAGES)(
    'I-1: a journal opens again up to the damage, and reports the loss: %s',
    async (_, damage) => {
      const folder = await temporaryFolder();
      await filled(folder, COUNT, { segmentBytes: 900 });
      const { segments } = await listFolder(folder);
      await damage(
        folder,
        segments.map((name) => segmentPath(folder, name)),
      );
      expect(await openLocalJournal(folder)).toMatchObject({ ok: false });

      const before = (await listFolder(folder)).segments;
      const planned = await acceptLoss(folder, { ...NOW, dryRun: true });
      expect((await listFolder(folder)).segments).toEqual(before);
      const accepted = await acceptLoss(folder, NOW);
      expect(accepted).toEqual(planned);
      const loss = accepted.ok ? accepted.value : undefined;
      expect(loss?.faults.length).toBeGreaterThan(0);

      const journal = await opened(folder);
      const records = await collect(journal.feed('main', 0, { follow: false }));
      // A prefix of the original records, and nothing else.
      expect(texts(records)).toEqual(records.map((_, index) => `m-${index}`));
      expect(records.at(-1)?.seq ?? 0).toBe(loss?.kept);
      const [next] = appended(await journal.append('main/proposal/new', 0, [sample('new')]));
      expect(next?.seq).toBeGreaterThan(loss?.reached ?? 0);
      expect((await journal.verify()).faults).toEqual([]);
      await journal.close();
      expect(await verifyLocalJournal(folder)).toMatchObject({
        ok: true,
        value: { faults: [], losses: [loss] },
      });
      expect(await acceptLoss(folder, NOW)).toEqual({ ok: true, value: undefined });
      expect(texts(await everything(folder))).toEqual([...texts(records), 'new']);
    },
  );

  it('keeps the data it moves away', async () => {
    const folder = await temporaryFolder();
    await filled(folder, COUNT, { segmentBytes: 900 });
    const second = segmentPath(folder, { number: 2, generation: 0 });
    const whole = await readFile(second);
    whole[whole.length - 3] = 0x21;
    await writeFile(second, whole);
    const { segments } = await listFolder(folder);
    const accepted = await acceptLoss(folder, NOW);
    const { movedTo = '' } = (accepted.ok && accepted.value) || {};
    expect((await listFolder(movedTo)).segments).toEqual(segments.slice(1));
    expect((await readFile(join(movedTo, '00000002.0000.segment'))).equals(whole)).toBe(true);
  });

  it('refuses an intact journal, one in use, and an unknown format', async () => {
    const folder = await temporaryFolder();
    await filled(folder, 3);
    expect(await acceptLoss(folder, NOW)).toEqual({ ok: true, value: undefined });
    const journal = await opened(folder);
    expect(await acceptLoss(folder, NOW)).toMatchObject({ ok: false, refusal: { code: 'journal_locked' } });
    await journal.close();
    await writeFile(join(folder, 'format.json'), '{"format":99}');
    expect(await acceptLoss(folder, NOW)).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_journal_format' },
    });
  });
});

async function everything(folder: string) {
  const journal = await opened(folder);
  const records = await collect(journal.feed('main', 0, { follow: false }));
  await journal.close();
  return records;
}
