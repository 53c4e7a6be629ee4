import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startCompanion } from '../processes/companion.js';
import type { Rounds } from '../sampling.js';
import { type Contestant, measureInTurns } from '../turns.js';
import { writeHistory } from './history.js';
import { type Snapshot, snapshotIn } from './snapshot.js';
import { spaceNames } from './space-names.js';
import { startGatewayCompanion } from './venue.js';

/** How long the gateway is unavailable after a crash. */
export const restart: Benchmark = {
  name: 'gateway/restart',
  about:
    'opening a journal with and without its indexes, and starting on it until /readyz succeeds, with and without a snapshot',
  async measure({ quick, smoke }): Promise<readonly Measurement[]> {
    const records = smoke ? 300 : quick ? 100_000 : 1_000_000;
    // A measurement that takes a minute has little noise, and is not worth an hour.
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
  const snapshot = snapshotIn(path);
  // No snapshot is written for fewer records: then both starts read everything.
  const hasSnapshot = records >= 20_000;
  if (hasSnapshot) await writeSnapshot(path, snapshot);
  return compareWithFirst(
    await measureInTurns(
      [
        contestant(`open the journal, ${label}`, 'with indexes', () => open(path)),
        contestant(`open the journal, ${label}`, 'without', () => withoutIndexes(path, open)),
        contestant('start until ready, no records', 'an empty folder', () => start(empty.path, ['main'])),
        contestant(`start until ready, ${label}`, 'reading everything', async () => {
          await snapshot.remove();
          return await start(path, ['main']);
        }),
        contestant(`start until ready, ${label}`, 'from a snapshot', async () => {
          if (hasSnapshot) await snapshot.put();
          return await start(path, ['main']);
        }),
        contestant(`start until ready, ${label}`, 'without indexes, reading everything', async () => {
          await snapshot.remove();
          return await withoutIndexes(path, () => start(path, ['main']));
        }),
      ],
      rounds,
    ),
  );
}

async function writeSnapshot(folder: string, snapshot: Snapshot): Promise<void> {
  const gateway = await startGatewayCompanion({ folder, spaces: ['main'] });
  try {
    await snapshot.written();
  } finally {
    await gateway.end();
  }
}

/** The same number of records, spread over more spaces (I-8). */
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

/** Wall time and, where known, CPU time, in milliseconds. */
interface Taken {
  readonly wall: number;
  readonly cpu?: number;
}

function contestant(name: string, how: string, take: () => Promise<Taken>): Contestant {
  return {
    parameters: { how },
    async round() {
      const { wall, cpu } = await take();
      const figure = { name, unit: 'ms', value: wall };
      return cpu === undefined ? [figure] : [figure, { name: `${name}, CPU`, unit: 'ms', value: cpu }];
    },
  };
}

/** Milliseconds, in a new process: only the file cache is warm. */
async function open(folder: string): Promise<Taken> {
  await using opener = await startCompanion<number>('opener', { folder });
  return { wall: opener.ready };
}

async function start(folder: string, spaces: readonly string[]): Promise<Taken> {
  await using gateway = await startGatewayCompanion({ folder, spaces });
  // For the whole process, from its start.
  const { cpu } = await gateway.usage();
  return { wall: gateway.ready.milliseconds, cpu: cpu / 1000 };
}

/** The journal rebuilds missing indexes. */
async function withoutIndexes(folder: string, take: (folder: string) => Promise<Taken>): Promise<Taken> {
  for (const file of await readdir(folder)) {
    if (file.endsWith('.index')) await rm(join(folder, file));
  }
  return await take(folder);
}
