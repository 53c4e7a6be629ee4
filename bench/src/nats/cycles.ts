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

interface Case {
  /** The number of gateways. */
  readonly gateways: number;
  /** How many of them have clients, each with {@link IN_FLIGHT} cycles in flight. The others only follow. Default all. */
  readonly busy?: number;
  /** Whether the clients share one space, each connected to a different gateway. Default: each gateway has its own. */
  readonly isShared?: boolean;
}

const CASES: readonly Case[] = [
  { gateways: 1 },
  { gateways: 2 },
  { gateways: 2, isShared: true },
  { gateways: 4 },
  { gateways: 4, busy: 1 },
  { gateways: 4, isShared: true },
];

/**
 * Cycles in flight at each gateway with clients, however many gateways there are. A fixed total would give each gateway
 * of four smaller batches, and small batches cost more per cycle at any number of gateways.
 */
const IN_FLIGHT = 64;

/** How the work of a gateway changes when others share it. */
export const cycles: Benchmark = {
  name: 'nats/cycles',
  about:
    'whole cycles with 1, 2 and 4 gateways on one NATS server, with a space each and with a shared space',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    await using cluster = await startCluster(1, { note });
    if (cluster === undefined) return [];
    // Gateways that only follow cost something too. So each case has as many as it names, on a stream of their own.
    const groups = new Map<number, readonly Companion<Served>[]>();
    for (const { gateways } of CASES)
      if (!groups.has(gateways)) groups.set(gateways, await startGroup(cluster, gateways));
    try {
      const count = smoke ? 32 : quick ? 400 : 2_400;
      const rounds = roundsFor({ quick, smoke }, { warmUp: 2, counted: 5 });
      const contestants = CASES.map((one): Contestant => {
        const { gateways, busy = gateways, isShared = false } = one;
        const group = groups.get(gateways) ?? [];
        return {
          parameters: { gateways, 'with clients': busy, spaces: isShared ? 'shared space' : 'a space each' },
          round: () => measureRound(cluster, group, { busy, isShared, count }),
        };
      });
      return compareWithFirst(await measureInTurns(contestants, rounds));
    } finally {
      for (const gateway of [...groups.values()].flat()) await gateway.end();
    }
  },
};

/** Starts gateways that share a stream with each other, and with nobody else. */
async function startGroup(cluster: Cluster, size: number): Promise<readonly Companion<Served>[]> {
  const options = { spaces: ['main', ...SPACES], stream: `bench-${size}` };
  // The first one creates the stream.
  const first = await cluster.startGateway(options);
  const others = Array.from({ length: size - 1 }, () => cluster.startGateway(options));
  return [first, ...(await Promise.all(others))];
}

interface Round {
  /** The number of gateways with clients. */
  readonly busy: number;
  readonly isShared: boolean;
  /** Cycles at all gateways together. */
  readonly count: number;
}

/**
 * One cast per gateway with clients. With separate spaces, a cast connects to its gateway; in the shared space, each of
 * its members connects to a different gateway.
 */
async function measureRound(
  cluster: Cluster,
  gateways: readonly Companion<Served>[],
  { busy, isShared, count }: Round,
): Promise<readonly Figure[]> {
  const casts = await Promise.all(
    gateways.slice(0, busy).map(async (_, index) => {
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
    const usage = async () => ({
      gateways: await gatewayTime(gateways),
      followers: await gatewayTime(gateways.slice(busy)),
      servers: await cluster.serverTime(),
    });
    const before = await usage();
    const start = performance.now();
    const times = await Promise.all(
      casts.map((cast) =>
        runCycles(cast, {
          count: Math.ceil(count / casts.length),
          inFlight: IN_FLIGHT,
          dialect: canonical,
        }),
      ),
    );
    const seconds = (performance.now() - start) / 1_000;
    const after = await usage();
    const latencies = sorted(times);
    const done = latencies.length;
    const cost = (name: string, microseconds: number): Figure => ({
      name,
      unit: 'ns/cycle',
      value: (microseconds * 1_000) / done,
    });
    const followers = gateways.length - busy;
    return [
      { name: 'cycles', unit: 'cycles/s', value: done / seconds },
      { name: 'p50', unit: 'ms', value: percentile(latencies, 0.5) },
      { name: 'p99', unit: 'ms', value: percentile(latencies, 0.99) },
      cost('gateway CPU', after.gateways - before.gateways),
      ...(followers === 0
        ? []
        : [cost('CPU of a gateway that only follows', (after.followers - before.followers) / followers)]),
      ...(after.servers === undefined || before.servers === undefined
        ? []
        : [cost('NATS CPU', after.servers - before.servers)]),
    ];
  } finally {
    for (const wire of wires) wire.close();
  }
}

/** The processor time that some gateways have used so far, in microseconds. */
async function gatewayTime(some: readonly Companion<Served>[]): Promise<number> {
  const used = await Promise.all(some.map((gateway) => gateway.usage()));
  return used.reduce((sum, { cpu }) => sum + cpu, 0);
}

function sorted(times: readonly CycleTimes[]): Float64Array {
  return Float64Array.from(times.flatMap(({ latencies }) => [...latencies])).sort();
}
