import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startCompanion } from '../processes/companion.js';
import type { Rounds } from '../sampling.js';
import { type Contestant, measureInTurns } from '../turns.js';
import { writeHistory } from './history.js';
import { spaceNames } from './space-names.js';
import { startGatewayCompanion } from './venue.js';

/** How long nobody is served after a crash. */
export const restart: Benchmark = {
  name: 'gateway/restart',
  about: 'opening a journal with and without its indexes, and starting over it until /readyz says so',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const records = smoke ? 300 : quick ? 100_000 : 1_000_000;
    // What takes a minute is hardly noise, and not worth an hour.
    const once = { warmUp: 0, counted: 1 };
    return [
      ...(await measureOpening(records, once)),
      ...(await measureSpaces(smoke ? 300 : 10_000, quick ? once : { warmUp: 0, counted: 3 })),
    ];
  },
};

async function measureOpening(records: number, rounds: Rounds): Promise<readonly Measurement[]> {
  await using folder = await temporaryFolder();
  await using empty = await temporaryFolder();
  const { path } = folder;
  await writeHistory({ folder: path, records, spaces: ['main'] });
  const label = `${records.toLocaleString('en')} records`;
  return compareWithFirst(
    await measureInTurns(
      [
        contestant(`open the journal, ${label}`, 'with indexes', () => open(path)),
        contestant(`open the journal, ${label}`, 'without', () => withoutIndexes(path, open)),
        contestant('start until ready, no records', 'an empty folder', () => start(empty.path, ['main'])),
        contestant(`start until ready, ${label}`, 'with indexes', () => start(path, ['main'])),
        contestant(`start until ready, ${label}`, 'without', () =>
          withoutIndexes(path, () => start(path, ['main'])),
        ),
      ],
      rounds,
    ),
  );
}

/** The same number of records in more spaces (I-8). */
async function measureSpaces(records: number, rounds: Rounds): Promise<readonly Measurement[]> {
  await using one = await temporaryFolder();
  await using many = await temporaryFolder();
  const names = spaceNames(100);
  await writeHistory({ folder: one.path, records, spaces: ['main'] });
  await writeHistory({ folder: many.path, records, spaces: names });
  const label = `start until ready, ${records.toLocaleString('en')} records`;
  return compareWithFirst(
    await measureInTurns(
      [
        contestant(label, 'all in 1 space', () => start(one.path, ['main'])),
        contestant(label, 'spread over 100 spaces', () => start(many.path, names)),
      ],
      rounds,
    ),
  );
}

function contestant(name: string, how: string, take: () => Promise<number>): Contestant {
  return { parameters: { how }, round: async () => [{ name, unit: 'ms', value: await take() }] };
}

/** Milliseconds, in a process of its own: nothing is warm but the system's file cache. */
async function open(folder: string): Promise<number> {
  await using opener = await startCompanion<number>('opener', { folder });
  return opener.ready;
}

async function start(folder: string, spaces: readonly string[]): Promise<number> {
  await using gateway = await startGatewayCompanion({ folder, spaces });
  return gateway.ready.milliseconds;
}

/** The journal writes them again when they are missing. */
async function withoutIndexes(folder: string, take: (folder: string) => Promise<number>): Promise<number> {
  for (const file of await readdir(folder)) {
    if (file.endsWith('.index')) await rm(join(folder, file));
  }
  return await take(folder);
}
