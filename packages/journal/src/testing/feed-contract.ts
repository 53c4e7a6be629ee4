import { describe, expect, it } from 'vitest';
import { EVERY_SPACE, type Journal } from '../journal.js';
import type { StoredRecord } from '../stored-record.js';
import type { OpenJournal } from './journal-contract.js';
import { appended, collect, sample, texts } from './sample.js';
import { useJournal } from './use-journal.js';

/** The contract of `feed` and `lastSeq`. */
export function feedContract(open: OpenJournal): void {
  describe('feed', () => {
    const start = useJournal(open);

    it('O-4, I-6: yields the history and then new records, by increasing seq, without gaps or repeats', async () => {
      const { journal } = await start();
      const total = 400;
      await write(journal, { from: 0, to: 100 });
      const feed = collect(journal.feed('main', 0), total);
      await write(journal, { from: 100, to: total });
      const records = await feed;
      expect(texts(records)).toEqual(names(0, total));
      expect(isAscending(records)).toBe(true);
    });

    it('O-4, I-6: yields the same in pieces, if supported', async () => {
      const { journal } = await start();
      const total = 400;
      await write(journal, { from: 0, to: 100 });
      const pieces = journal.feedPieces?.('main', 0);
      await write(journal, { from: 100, to: total });
      if (pieces === undefined) return;
      const seen: StoredRecord[] = [];
      for await (const records of pieces) {
        expect(records).not.toEqual([]);
        seen.push(...records);
        if (seen.length >= total) break;
      }
      expect(texts(seen)).toEqual(names(0, total));
      const { seq } = seen[total - 2] as StoredRecord;
      const rest: StoredRecord[] = [];
      for await (const records of journal.feedPieces?.('main', seq, { follow: false }) ?? [])
        rest.push(...records);
      expect(texts(rest)).toEqual(names(total - 1, total));
    });

    it('I-6: a subscriber that reconnects with its last seq sees every later record once, in order', async () => {
      const { journal } = await start();
      const seen: StoredRecord[] = [];
      const writing = write(journal, { from: 0, to: 300 });
      while (seen.length < 300) {
        // Reconnects after a different number of records each time.
        const piece = Math.min(1 + (seen.length % 7), 300 - seen.length);
        seen.push(...(await collect(journal.feed('main', seen.at(-1)?.seq ?? 0), piece)));
      }
      await writing;
      expect(texts(seen)).toEqual(names(0, 300));
    });

    it('I-6, I-7: a consumer slower than the writers still gets everything, once and in order', async () => {
      const { journal } = await start();
      const seen: StoredRecord[] = [];
      let written = 0;
      for await (const record of journal.feed('main', 0, { follow: (await seed(journal)) > 0 })) {
        seen.push(record);
        if (written < 2000) {
          // Twenty records are written for each one it reads.
          await write(journal, { from: written + 1, to: written + 21 });
          written += 20;
        }
        if (seen.length === 2001) break;
      }
      expect(texts(seen)).toEqual(names(0, 2001));
      expect(isAscending(seen)).toBe(true);
    });

    it('yields only the records of its space, and of every space if asked', async () => {
      const { journal } = await start();
      await journal.append('red/proposal/1', 0, [sample('r-1')]);
      await journal.append('blue/proposal/1', 0, [sample('b-1')]);
      await journal.append('red/participant/x', 0, [sample('r-2')]);
      await journal.append('redder/proposal/1', 0, [sample('other')]);
      expect(texts(await collect(journal.feed('red', 0, { follow: false })))).toEqual(['r-1', 'r-2']);
      expect(texts(await collect(journal.feed('blue', 0, { follow: false })))).toEqual(['b-1']);
      expect(texts(await collect(journal.feed(EVERY_SPACE, 0, { follow: false })))).toEqual([
        'r-1',
        'b-1',
        'r-2',
        'other',
      ]);
      const [last] = await collect(journal.read('red/participant/x'));
      expect(await journal.lastSeq('red')).toBe(last?.seq);
      expect(await journal.lastSeq('green')).toBe(0);
      expect(await journal.lastSeq(EVERY_SPACE)).toBeGreaterThan(last?.seq ?? 0);
    });

    it('I-6: a waiting feed gets the very record that is acknowledged', async () => {
      const { journal } = await start();
      const feed = collect(journal.feed('main', 0), 1);
      const records = appended(await journal.append('main/proposal/1', 0, [sample('one')]));
      expect(await feed).toEqual(records);
    });

    it('ends without an error when it is aborted, and when the journal is closed', async () => {
      const { journal } = await start();
      await journal.append('main/proposal/1', 0, [sample('one')]);
      const controller = new AbortController();
      const aborted = collect(journal.feed('main', 0, { signal: controller.signal }));
      const closed = collect(journal.feed('main', 1));
      controller.abort();
      expect((await aborted).length).toBeLessThanOrEqual(1);
      expect(await collect(journal.feed('main', 0, { signal: controller.signal }))).toEqual([]);
      await journal.close();
      expect(await closed).toEqual([]);
    });
  });
}

async function seed(journal: Journal): Promise<number> {
  return appended(await journal.append('main/participant/a', 0, [sample('m-0')])).length;
}

/** Appends `m-FROM` to `m-TO` without waiting in between; version and number are the same here. */
async function write(journal: Journal, { from, to }: { readonly from: number; readonly to: number }) {
  const pending = Array.from({ length: to - from }, (_, index) =>
    journal.append('main/participant/a', from + index, [sample(`m-${from + index}`)]),
  );
  for (const outcome of await Promise.all(pending)) appended(outcome);
}

function names(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `m-${from + index}`);
}

function isAscending(records: readonly StoredRecord[]): boolean {
  return records.every(({ seq }, index) => seq > (records[index - 1]?.seq ?? 0));
}
