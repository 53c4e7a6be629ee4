import { describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../memory/index.js';
import { appended, collect, sample } from '../testing/index.js';
import { faultyDisk } from './testing/faulty-disk.js';
import { opened } from './testing/open.js';
import { useTemporaryFolder } from './testing/temporary-folder.js';

describe('the cost of appends', () => {
  const temporaryFolder = useTemporaryFolder();

  it('I-8: an append writes as much after thousands of records and streams as at the start', async () => {
    const writes: number[] = [];
    const disk = faultyDisk(({ kind, bytes }) => {
      if (kind === 'write' && !isZeros(bytes)) writes.push(bytes?.length ?? 0);
      return undefined;
    });
    const journal = await opened(await temporaryFolder(), { disk });
    const measure = async (stream: string, version: number): Promise<readonly number[]> => {
      writes.length = 0;
      appended(await journal.append(stream, version, [sample('one')]));
      return [...writes];
    };
    await journal.append('main/participant/a', 0, [sample('one')]);
    const [early = 0] = await measure('main/participant/a', 1);
    await Promise.all(
      Array.from({ length: 3000 }, (_, index) =>
        journal.append('main/participant/a', 2 + index, [sample('one')]),
      ),
    );
    await Promise.all(
      Array.from({ length: 3000 }, (_, index) => journal.append(`s-${index}/proposal/1`, 0, [sample('one')])),
    );
    const late = await measure('main/participant/a', 3002);
    expect(late).toHaveLength(1);
    // Only its numbers have more digits.
    expect((late[0] ?? 0) - early).toBeLessThan(20);
    await journal.close();
  });

  it('the disk has the first of many appends while the others are sealed, and what came then before anyone is told', async () => {
    const writes: string[] = [];
    const disk = faultyDisk(({ kind, bytes }) => {
      if (kind === 'write' && !isZeros(bytes)) writes.push(Buffer.from(bytes ?? []).toString());
      return undefined;
    });
    const journal = await opened(await temporaryFolder(), { disk });
    await journal.append('main/participant/a', 0, [sample('before')]);
    // Nothing is being written in the turn that follows.
    await new Promise(setImmediate);
    writes.length = 0;
    const told = (said: string, expectedVersion: number): Promise<number> =>
      new Promise((resolve) => {
        const append = { stream: 'main/participant/a', expectedVersion, records: [sample(said)] };
        journal.appendAll([append], () => resolve(writes.length));
      });
    const first = told(`first ${'.'.repeat(65_536)}`, 1);
    expect(writes).toEqual([expect.stringContaining('first')]);
    const others = [told('second', 2), told('third', 3)];
    expect(await first).toBe(2);
    expect(writes.slice(1)).toEqual([expect.stringMatching(/second[^]*third/)]);
    expect(await Promise.all(others)).toEqual([2, 2]);
    await journal.close();
  });

  it('I-1: concurrent appends share one write', async () => {
    let writes = 0;
    const disk = faultyDisk(({ kind, bytes }) => {
      if (kind === 'write' && !isZeros(bytes)) writes++;
      return undefined;
    });
    const journal = await opened(await temporaryFolder(), { disk });
    await journal.append('main/participant/a', 0, [sample('one')]);
    writes = 0;
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => journal.append(`main/proposal/${index}`, 0, [sample('one')])),
    );
    expect(writes).toBe(1);
    await journal.close();
  });

  it('I-3: the same appends give the same records, hashes and order on disk and in memory', async () => {
    const journals = [createMemoryJournal(), await opened(await temporaryFolder())];
    const results: unknown[] = [];
    for (const journal of journals) {
      await journal.append('main/proposal/1', 0, [sample('é ☂ 𝄞 "quoted"\n'), sample('two')]);
      await journal.append('main/proposal/2', 0, [sample('three')]);
      await journal.append('main/proposal/1', 2, [sample('four')]);
      results.push(await collect(journal.feed('main', 0, { follow: false })));
      await journal.close();
    }
    expect(results[1]).toEqual(results[0]);
  });
});

/** Preallocated space does not count towards an append. */
function isZeros(bytes: Uint8Array | undefined): boolean {
  return bytes?.[0] === 0;
}
