import { openNatsJournal } from '@proffer/journal/nats';
import { TEST_ACCESS } from '@proffer/journal/testing/nats-servers';
import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { contestant, producer } from '../journal/appends.js';
import { measureInTurns, roundsFor } from '../turns.js';
import { type BareBatches, openBareBatches } from './bare-batches.js';
import { startCluster } from './cluster.js';

/** Concurrent producers, and appends per round. */
const CASES = [
  { producers: 1, count: 500 },
  { producers: 64, count: 12_000 },
  { producers: 512, count: 24_000 },
] as const;

/** Approximate bytes of a record with its headers. */
const RECORD = 600;

/** The journal on NATS compared with the lower bound on the same servers. */
export const appends: Benchmark = {
  name: 'nats/appends',
  about:
    'durable appends per second on one NATS server and on three, compared with bare atomic batches from one client',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    const found: Measurement[] = [];
    for (const servers of [1, 3]) {
      await using cluster = await startCluster(servers, { note });
      if (cluster === undefined) return found;
      const { urls, replicas } = cluster;
      const opened = await openNatsJournal({ ...TEST_ACCESS, servers: urls, replicas });
      if (!opened.ok) throw new Error(opened.refusal.message);
      const journal = opened.value;
      // Once servers keep a journal, they have elected a leader.
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

/** Each producer has its own subject, new in each round. */
function bareProducer(bare: BareBatches): () => Promise<void> {
  const subject = `bare.p-${subjects++}`;
  let last = 0;
  return async () => {
    last = await bare.append(subject, last);
  };
}
