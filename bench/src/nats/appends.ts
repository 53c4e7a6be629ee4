import { openNatsJournal } from '@proffer/journal/nats';
import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { contestant, producer } from '../journal/appends.js';
import { measureInTurns, roundsFor } from '../turns.js';
import { type BareBatches, openBareBatches } from './bare-batches.js';
import { startCluster } from './cluster.js';

/** How many append at one time, and how many appends are a round. */
const CASES = [
  { producers: 1, count: 500 },
  { producers: 64, count: 12_000 },
  { producers: 512, count: 24_000 },
] as const;

/** Bytes of a record with its headers, roughly. */
const RECORD = 600;

/** What the journal makes of NATS, beside the least that the same servers need. */
export const appends: Benchmark = {
  name: 'nats/appends',
  about:
    'durable appends per second on one NATS server and on three, beside bare atomic batches from one client',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    const found: Measurement[] = [];
    for (const servers of [1, 3]) {
      await using cluster = await startCluster(servers, { note });
      if (cluster === undefined) return found;
      const { urls, replicas } = cluster;
      const opened = await openNatsJournal({ servers: urls, replicas });
      if (!opened.ok) throw new Error(opened.refusal.message);
      const journal = opened.value;
      // Servers that keep a journal have found their leader.
      await using bare = await openBareBatches(urls, { replicas, bytes: RECORD });
      const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 7 });
      for (const { producers, count } of CASES) {
        const part = smoke ? 100 : quick ? 10 : 1;
        const load = {
          producers,
          count: Math.ceil(count / part),
          on: servers === 1 ? '1 server' : `${servers} servers`,
        };
        const contestants = [
          contestant('bare atomic batches', load, () => bareProducer(bare)),
          contestant('journal', load, (index) => producer(journal, 'main', index)),
        ];
        found.push(...compareWithFirst(await measureInTurns(contestants, rounds)));
      }
      await journal.close();
    }
    return found;
  },
};

let subjects = 0;

/** Each has a subject of its own, new in each round. */
function bareProducer(bare: BareBatches): () => Promise<void> {
  const subject = `bare.p-${subjects++}`;
  let last = 0;
  return async () => {
    last = await bare.append(subject, last);
  };
}
