import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import { canonical } from '../gateway/driver/dialect.js';
import { settle } from '../gateway/driver/fan-out-load.js';
import { pace } from '../gateway/driver/paced-load.js';
import { gatewayVenue } from '../gateway/venue.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';
import { startCluster } from './cluster.js';

/** Messages per second: few enough that none waits for another. */
const PER_SECOND = 100;

/** The extra latency of messages sent through another gateway. */
export const latency: Benchmark = {
  name: 'nats/latency',
  about: 'from a sender to a reader at the same gateway, and at another one on the same three NATS servers',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using cluster = await startCluster(3, { note });
    if (cluster === undefined) return [];
    await using here = await cluster.startGateway();
    await using there = await cluster.startGateway();
    const seconds = smoke ? 0.2 : quick ? 2 : 4;
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 });
    const contestants = [
      { reader: 'at the same gateway', at: here },
      { reader: 'at another gateway', at: there },
    ].map(
      ({ reader: where, at }): Contestant => ({
        parameters: { reader: where },
        async round() {
          const sender = await gatewayVenue(here).connect('sender');
          const reader = await gatewayVenue(at).connect('reader');
          try {
            await settle([sender, reader], canonical);
            const { times } = await pace({ sender, reader, to: 'reader', seconds, perSecond: PER_SECOND });
            return [
              { name: 'p50', unit: 'ms', value: percentile(times, 0.5) },
              { name: 'p99', unit: 'ms', value: percentile(times, 0.99) },
            ];
          } finally {
            sender.close();
            reader.close();
          }
        },
      }),
    );
    return compareWithFirst(await measureInTurns(contestants, rounds));
  },
};
