import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collect, sample } from '../testing/index.js';
import { openLocalJournal } from './open-local-journal.js';
import { startAppender } from './testing/child-process.js';
import { opened } from './testing/open.js';
import { snapshotOf } from './testing/snapshot-of.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

const ROUNDS = process.env['PROFFER_LONG'] === undefined ? 10 : 200;

describe('processes', () => {
  const temporaryFolder = useTemporaryFolder();

  it.each(['power', 'process'] as const)(
    'I-1: kill -9 at random moments loses nothing acknowledged, and leaves the new snapshot or the previous one intact (durability %s)',
    async (durability) => {
      const folder = await temporaryFolder();
      let snapshots = 0;
      const acknowledged = new Map<number, { readonly stream: string; readonly version: number }>();
      // How many acknowledgements each of them lives to give.
      const lives = fc.sample(fc.integer({ min: 1, max: 200 }), ROUNDS);
      for (const [round, life] of lives.entries()) {
        const appender = startAppender([folder, String(round), durability]);
        // In the middle of whatever it is doing.
        await appender.lines(life);
        // The others may be over before the first snapshot is there.
        if (round === 0) await appender.saved();
        await appender.kill();
        const said = appender.said().map((line) => JSON.parse(line) as Said);
        expect(said[0]).toHaveProperty('opened');
        for (const { stream, version, seqs } of said.filter((one) => 'seqs' in one)) {
          for (const [index, seq] of seqs.entries()) {
            expect(acknowledged.has(seq)).toBe(false);
            acknowledged.set(seq, { stream, version: version - seqs.length + index + 1 });
          }
        }
        const journal = await opened(folder, { durability });
        const records = await collect(journal.feed('main', 0, { follow: false }));
        const found = new Map(records.map(({ seq, stream, version }) => [seq, { stream, version }]));
        for (const [seq, place] of acknowledged) expect(found.get(seq)).toEqual(place);
        // An append is there as a whole or not at all.
        expect(records.length % 2).toBe(0);
        expect((await journal.verify()).faults).toEqual([]);
        const saved = await journal.snapshots.load();
        if (saved !== undefined) {
          snapshots++;
          expect(found.has(saved.seq)).toBe(true);
          expect(await collect(saved.pieces())).toEqual(snapshotOf(saved.seq));
        }
        await journal.close();
      }
      expect(snapshots).toBeGreaterThan(0);
    },
  );

  it('I-2: a folder belongs to one process; another is told which', async () => {
    const folder = await temporaryFolder();
    const appender = startAppender([folder, '0']);
    await appender.lines(2);
    const refused = await openLocalJournal(folder);
    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: 'journal_locked', details: { pid: appender.process.pid } },
    });
    expect(refused.ok ? '' : refused.refusal.message).toContain(String(appender.process.pid));
    await appender.kill();
    // A dead process blocks nobody, however it died.
    const journal = await opened(folder);
    const other = startAppender([folder, '1']);
    await other.lines(1);
    expect(JSON.parse(other.said()[0] ?? '{}')).toMatchObject({
      refused: { code: 'journal_locked', details: { pid: process.pid } },
    });
    await other.kill();
    await journal.close();
  });

  it('I-2: of many processes that open the same folder at once, one gets it', async () => {
    // Longer than a socket path may be.
    const folder = join(await temporaryFolder(), 'long-name'.repeat(20));
    for (let round = 0; round < 5; round++) {
      const results = await Promise.all(Array.from({ length: 10 }, () => openLocalJournal(folder)));
      const journals = results.flatMap((result) => (result.ok ? [result.value] : []));
      expect(journals).toHaveLength(1);
      for (const result of results) if (!result.ok) expect(result.refusal.code).toBe('journal_locked');
      await journals[0]?.append('main/proposal/1', round, [sample(String(round))]);
      await journals[0]?.close();
    }
  });
});

interface Said {
  readonly stream: string;
  readonly version: number;
  readonly seqs: readonly number[];
}
