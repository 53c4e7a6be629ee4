import { describe, expect, it } from 'vitest';
import type { Journal } from '../journal.js';
import type { OpenJournal } from './journal-contract.js';
import { appended, collect, sample, texts } from './sample.js';
import { useJournal } from './use-journal.js';

const OVER = 'main/proposal/over';
const PENDING = 'main/proposal/pending';

/** The contract of `compact`. */
export function retentionContract(open: OpenJournal): void {
  describe('retention', () => {
    const start = useJournal(open);

    it('I-3: removes old, finished streams; the rest verifies and replays, even after a restart', async () => {
      const { journal, reopen } = await start();
      await journal.append(OVER, 0, [sample('o-1', 1000), sample('o-2', 2000)]);
      await journal.append(PENDING, 0, [sample('p-1', 1000)]);
      await journal.append('main/proposal/young', 0, [sample('y-1', 9000)]);
      const report = await journal.compact({ before: 5000, keep: ({ stream }) => stream === PENDING });
      expect(report).toEqual({ streams: 1, records: 2 });
      const stay = (): Promise<Journal> => Promise.resolve(journal);
      for (const come of [stay, reopen ?? stay]) {
        const journal = await come();
        expect(await collect(journal.read(OVER))).toEqual([]);
        expect(texts(await collect(journal.feed('main', 0, { follow: false })))).toEqual(['p-1', 'y-1']);
        expect(await journal.verify()).toMatchObject({ records: 2, faults: [] });
      }
    });

    it('I-2: the id of a removed stream stays taken', async () => {
      const { journal, reopen } = await start();
      const last = appended(await journal.append(OVER, 0, [sample('o-1', 1000), sample('o-2', 2000)])).at(-1);
      await journal.compact({ before: 5000, keep: () => false });
      const now = reopen === undefined ? journal : await reopen();
      expect(await now.head(OVER)).toEqual({ stream: OVER, version: 2, hash: last?.hash, removed: 2 });
      expect(await now.append(OVER, 0, [sample('again')])).toMatchObject({
        status: 'conflict',
        head: { version: 2 },
      });
    });

    it('I-6: seq does not go back when the last records are removed', async () => {
      const { journal, reopen } = await start();
      const last = appended(await journal.append(OVER, 0, [sample('o-1', 1000)])).at(-1)?.seq ?? 0;
      await journal.compact({ before: 5000, keep: () => false });
      const now = reopen === undefined ? journal : await reopen();
      expect(await now.lastSeq('main')).toBe(last);
      const feed = collect(now.feed('main', 0), 1);
      const [next] = appended(await now.append(PENDING, 0, [sample('p-1')]));
      expect(next?.seq).toBeGreaterThan(last);
      expect(await feed).toEqual([next]);
    });

    it('a stream continues where it was after its beginning is removed', async () => {
      const { journal, reopen } = await start();
      await journal.append(OVER, 0, [sample('o-1', 1000), sample('o-2', 2000)]);
      await journal.compact({ before: 5000, keep: () => false });
      appended(await journal.append(OVER, 2, [sample('o-3', 9000), sample('o-4', 9000)]));
      const now = reopen === undefined ? journal : await reopen();
      expect(texts(await collect(now.read(OVER)))).toEqual(['o-3', 'o-4']);
      expect(await now.verify()).toEqual({ records: 2, streams: 1, removed: 2, faults: [] });
      await now.compact({ before: 10_000, keep: () => false });
      expect(await now.head(OVER)).toMatchObject({ version: 4, removed: 4 });
      expect(await now.verify()).toMatchObject({ records: 0, faults: [] });
    });

    it('I-6: appends and feeds continue during compaction', async () => {
      const { journal } = await start();
      for (let index = 0; index < 50; index++) {
        await journal.append(`main/proposal/${index}`, 0, [sample(`old-${index}`, 1000)]);
      }
      const since = await journal.lastSeq('main');
      const feed = collect(journal.feed('main', since), 50);
      const [report] = await Promise.all([
        journal.compact({ before: 5000, keep: ({ stream }) => stream.endsWith('7') }),
        ...Array.from({ length: 50 }, (_, index) =>
          journal.append(`main/participant/${index}`, 0, [sample(`new-${index}`, 9000)]),
        ),
      ]);
      expect(report).toEqual({ streams: 45, records: 45 });
      expect(texts(await feed)).toEqual(Array.from({ length: 50 }, (_, index) => `new-${index}`));
      expect(await journal.verify()).toMatchObject({ records: 55, faults: [] });
    });
  });
}
