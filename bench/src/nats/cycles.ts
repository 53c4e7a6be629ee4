import type { Benchmark, Measurement } from '../benchmark.js';
import { compareWithFirst } from '../comparison.js';
import { type CycleTimes, percentile, runCycles } from '../gateway/driver/cycle-load.js';
import { canonical } from '../gateway/driver/dialect.js';
import { settle } from '../gateway/driver/fan-out-load.js';
import type { Served } from '../gateway/servers/gateway.js';
import { gatewayVenue } from '../gateway/venue.js';
import type { Companion } from '../processes/companion.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { type Cluster, startCluster } from './cluster.js';

const SPACES = ['one', 'two', 'three', 'four'];

/** The number of gateways, and whether each has its own space. */
const CASES = [
  { gateways: 1, isShared: true },
  { gateways: 2, isShared: false },
  { gateways: 2, isShared: true },
  { gateways: 4, isShared: false },
  { gateways: 4, isShared: true },
] as const;

/** Cycles in flight at all gateways together. */
const IN_FLIGHT = 64;

/** How the work of a gateway changes when others share it. */
export const cycles: Benchmark = {
  name: 'nats/cycles',
  about:
    'whole cycles with 1, 2 and 4 gateways on one NATS server, with a space each and with a shared space',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using cluster = await startCluster(1, { note });
    if (cluster === undefined) return [];
    const options = { spaces: ['main', ...SPACES] };
    // The first one creates the stream.
    const gateways = [await cluster.startGateway(options)];
    const others = SPACES.slice(1).map(() => cluster.startGateway(options));
    gateways.push(...(await Promise.all(others)));
    try {
      const count = smoke ? 32 : quick ? 400 : 2_400;
      const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 5 });
      const contestants = CASES.map((one): Contestant => {
        const used = gateways.slice(0, one.gateways);
        return {
          parameters: { gateways: one.gateways, spaces: one.isShared ? 'shared space' : 'a space each' },
          round: () => measureRound(cluster, used, { isShared: one.isShared, count }),
        };
      });
      return compareWithFirst(await measureInTurns(contestants, rounds));
    } finally {
      for (const gateway of gateways) await gateway.end();
    }
  },
};

interface Round {
  readonly isShared: boolean;
  /** Cycles at all gateways together. */
  readonly count: number;
}

/**
 * One cast per gateway. With separate spaces, a cast connects to its gateway; in the shared space, each of
 * its members connects to a different gateway.
 */
async function measureRound(
  cluster: Cluster,
  gateways: readonly Companion<Served>[],
  { isShared, count }: Round,
): Promise<readonly Figure[]> {
  const casts = await Promise.all(
    gateways.map(async (_, index) => {
      const space = isShared ? 'main' : (SPACES[index] ?? '');
      const connectTo = (step: number, name: string) => {
        const at = gateways[(index + (isShared ? step : 0)) % gateways.length] as Companion<Served>;
        return gatewayVenue(at, { space }).connect(name);
      };
      return {
        agent: await connectTo(0, 'agent'),
        reviewer: await connectTo(1, 'reviewer'),
        tools: await connectTo(2, 'tools'),
      };
    }),
  );
  const wires = casts.flatMap(({ agent, reviewer, tools }) => [agent, reviewer, tools]);
  try {
    for (const { agent, reviewer, tools } of casts) await settle([agent, reviewer, tools], canonical);
    const gatewayTime = async (): Promise<number> => {
      const used = await Promise.all(gateways.map((gateway) => gateway.usage()));
      return used.reduce((sum, { cpu }) => sum + cpu, 0);
    };
    const before = { gateways: await gatewayTime(), servers: await cluster.serverTime() };
    const start = performance.now();
    const times = await Promise.all(
      casts.map((cast) =>
        runCycles(cast, {
          count: Math.ceil(count / casts.length),
          inFlight: IN_FLIGHT / casts.length,
          dialect: canonical,
        }),
      ),
    );
    const seconds = (performance.now() - start) / 1_000;
    const after = { gateways: await gatewayTime(), servers: await cluster.serverTime() };
    const latencies = sorted(times);
    const done = latencies.length;
    return [
      { name: 'cycles', unit: 'cycles/s', value: done / seconds },
      { name: 'p50', unit: 'ms', value: percentile(latencies, 0.5) },
      { name: 'p99', unit: 'ms', value: percentile(latencies, 0.99) },
      {
        name: 'gateway CPU',
        unit: 'ns/cycle',
        value: ((after.gateways - before.gateways) * 1_000) / done,
      },
      ...(after.servers === undefined || before.servers === undefined
        ? []
        : [
            {
              name: 'NATS CPU',
              unit: 'ns/cycle',
              value: ((after.servers - before.servers) * 1_000) / done,
            },
          ]),
    ];
  } finally {
    for (const wire of wires) wire.close();
  }
}

function sorted(times: readonly CycleTimes[]): Float64Array {
  return Float64Array.from(times.flatMap(({ latencies }) => [...latencies])).sort();
}
