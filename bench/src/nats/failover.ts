import { connect, type Participant } from '@proffer/client';
import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { percentile } from '../gateway/driver/cycle-load.js';
import type { Served } from '../gateway/servers/gateway.js';
import type { Companion } from '../processes/companion.js';
import { type Contestant, measureInTurns, roundsFor } from '../turns.js';
import { startCluster } from './cluster.js';

/** Clients connected to the gateway that dies. */
const CASES = [1, 50];

const addressOf = ({ ready }: Companion<Served>): string => `ws://127.0.0.1:${ready.port}`;

/** How long clients are stalled when their gateway is killed. */
export const failover: Benchmark = {
  name: 'nats/failover',
  about: 'from kill -9 of a gateway until its clients have a message acknowledged by another one',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using cluster = await startCluster(3, { note });
    if (cluster === undefined) return [];
    await using survivor = await cluster.startGateway();
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 5 });
    const contestants = CASES.map(
      (clients): Contestant => ({
        parameters: { clients },
        async round() {
          const doomed = await cluster.startGateway();
          const url = [addressOf(doomed), addressOf(survivor)];
          const join = (index: number): Promise<Participant> =>
            connect({ url, token: `client-${index}`, space: 'main' });
          const participants = await Promise.all(Array.from({ length: clients }, (_, index) => join(index)));
          try {
            await Promise.all(participants.map((one) => one.chat('before')));
            const start = performance.now();
            await doomed.end();
            const times = await Promise.all(
              participants.map(async (one) => {
                await one.chat('after');
                return performance.now() - start;
              }),
            );
            const sorted = Float64Array.from(times).sort();
            return [
              { name: 'half resumed', unit: 'ms', value: percentile(sorted, 0.5) },
              { name: 'all resumed', unit: 'ms', value: sorted.at(-1) ?? 0 },
            ];
          } finally {
            await Promise.all(participants.map((one) => one.close()));
            await doomed.end();
          }
        },
      }),
    );
    return compareWithFirst(await measureInTurns(contestants, rounds));
  },
};
