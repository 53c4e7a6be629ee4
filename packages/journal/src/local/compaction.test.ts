import { stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { appended, collect, sample, texts } from '../testing/index.js';
import type { LocalJournal } from './local-journal.js';
import { listFolder, segmentPath } from './segments/index.js';
import { faultyDisk } from './testing/faulty-disk.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

const AT_ONCE = 12;
const SMALL = { segmentBytes: 900 };
const OLD = Array.from({ length: 6 }, (_, index) => `main/proposal/old-${index}`);
const KEPT = ['main/proposal/pending', 'main/participant/a'];

async function fill(journal: LocalJournal): Promise<void> {
  for (let version = 0; version < 2; version++) {
    for (const stream of [...OLD, ...KEPT]) {
      appended(await journal.append(stream, version, [sample(`${stream} ${version}`, 1000)]));
    }
  }
}

/** What is left of each stream: all, nothing, or a part. */
async function remaining(journal: LocalJournal): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const stream of [...OLD, ...KEPT]) counts[stream] = (await collect(journal.read(stream))).length;
  return counts;
}

describe('compaction', () => {
  const temporaryFolder = useTemporaryFolder({ inMemory: true });
  const options = { before: 5000, keep: ({ stream }: { readonly stream: string }) => KEPT.includes(stream) };

  it('I-1, I-3: interrupted at any step, leaves whole streams that verify, and can be resumed', async () => {
    const breakOff = async (from: number): Promise<boolean> => {
      const folder = await temporaryFolder();
      let counted = 0;
      let compacting = false;
      const disk = faultyDisk(() => (compacting && counted++ >= from ? { code: 'EIO' } : undefined));
      const journal = await opened(folder, { ...SMALL, disk });
      await fill(journal);
      compacting = true;
      const done = await journal.compact(options).then(
        () => counted <= from,
        () => false,
      );
      // From here on nothing reaches the disk: the folder is as a power cut would leave it.
      await journal.close();

      const again = await opened(folder, SMALL);
      const counts = await remaining(again);
      const removed = new Set(OLD.map((stream) => counts[stream]));
      expect(removed.size).toBe(1);
      expect([0, 2]).toContain([...removed][0]);
      expect(KEPT.map((stream) => counts[stream])).toEqual([2, 2]);
      for (const stream of [...OLD, ...KEPT]) expect(await again.head(stream)).toMatchObject({ version: 2 });
      expect((await again.verify()).faults).toEqual([]);
      const feed = await collect(again.feed('main', 0, { follow: false }));
      expect(feed).toHaveLength(removed.has(0) ? 4 : 16);

      await again.compact(options);
      expect(await again.verify()).toMatchObject({ records: 4, faults: [] });
      const [next] = appended(await again.append('main/proposal/new', 0, [sample('new', 9000)]));
      expect(next?.seq).toBeGreaterThan(16);
      await again.close();
      return done;
    };
    for (let from = 0; ; from += AT_ONCE) {
      const attempts = Array.from({ length: AT_ONCE }, (_, more) => breakOff(from + more));
      if ((await Promise.all(attempts)).includes(true)) break;
    }
  });

  it('frees the space, and leaves no unused files', async () => {
    const folder = await temporaryFolder();
    const journal = await opened(folder, SMALL);
    await fill(journal);
    const size = async (): Promise<number> => {
      let bytes = 0;
      // The last one has room for more.
      const ended = (await listFolder(folder)).segments.slice(0, -1);
      for (const name of ended) bytes += (await stat(segmentPath(folder, name))).size;
      return bytes;
    };
    await journal.compact({ ...options, keep: () => true });
    const before = await size();
    await journal.compact(options);
    expect(await size()).toBeLessThan(before / 2);
    expect((await listFolder(folder)).leftovers).toEqual([]);
    await journal.close();
  });

  it('I-6: a feed in the middle continues through rewritten segments', async () => {
    const journal = await opened(await temporaryFolder(), { ...SMALL, tail: { records: 1, bytes: 1 } });
    await fill(journal);
    const seen: string[] = [];
    for await (const record of journal.feed('main', 0, { follow: false })) {
      seen.push(...texts([record]));
      if (seen.length === 1) await journal.compact(options);
    }
    const kept = KEPT.flatMap((stream) => [`${stream} 0`, `${stream} 1`]);
    expect(seen.filter((text) => kept.includes(text)).sort()).toEqual(kept.sort());
    expect(new Set(seen).size).toBe(seen.length);
    await journal.close();
  });

  it('asks about a stream once, with its last record, and only if it is old enough', async () => {
    const journal = await opened(await temporaryFolder(), SMALL);
    await fill(journal);
    await journal.append('main/proposal/old-0', 2, [sample('fresh', 9000)]);
    const asked: string[] = [];
    await journal.compact({
      before: 5000,
      keep: ({ stream, version }) => {
        asked.push(`${stream} ${version}`);
        return true;
      },
    });
    expect(asked.sort()).toEqual([...OLD.slice(1), ...KEPT].map((stream) => `${stream} 2`).sort());
    await journal.close();
  });
});
