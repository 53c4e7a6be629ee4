import type { Benchmark, Measurement } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import { compareWithFirst } from '../comparison.js';
import { startCompanion } from '../processes/companion.js';
import type { Usage } from '../processes/usage.js';
import type { Rounds } from '../sampling.js';
import { type Contestant, type Figure, measureInTurns, roundsFor } from '../turns.js';
import { ATTACK_NAMES, type AttackName, type Target } from './attackers/attack.js';
import { percentile } from './driver/cycle-load.js';
import { settle } from './driver/fan-out-load.js';
import { textFrame } from './driver/frame.js';
import { pace } from './driver/paced-load.js';
import { runName } from './driver/stock.js';
import type { Wire } from './driver/wire.js';
import { type GatewayCompanion, gatewayVenue, startGatewayCompanion } from './venue.js';

const MIB = 1_048_576;

/** Messages per second that a participant may send. */
const LIMIT = 1000;

/** Background load from the other participants: small timed messages, and large ones that fill buffers. */
const SMALL_PER_SECOND = 300;
const LARGE_PER_SECOND = 100;
const LARGE = 65_536;

const LIMITS = {
  messages_per_participant: `${LIMIT}/s`,
  unacknowledged_per_connection: '4MiB',
  connections_per_token: '20000',
};

/** How an attacker affects the other participants (I-7). */
export const attack: Benchmark = {
  name: 'gateway/attack',
  about: 'latency for other participants during an attack, compared with no attack',
  async measure({ quick, smoke, note }): Promise<readonly Measurement[]> {
    const rounds = roundsFor({ quick, smoke }, { warmUp: 1, counted: 8 });
    const seconds = smoke ? 0.2 : quick ? 1 : 2;
    const connections = smoke ? 50 : quick ? 1000 : 10_000;
    const found: Measurement[] = [];
    for (const name of ATTACK_NAMES) {
      found.push(...(await measureAttack(name, { seconds, connections, rounds, note })));
    }
    return found;
  },
};

interface AttackOptions {
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: Rounds;
  readonly note: (text: string) => void;
}

/** Each attack gets a fresh gateway, unaffected by the attack before it. */
async function measureAttack(
  name: AttackName,
  { seconds, connections, rounds, note }: AttackOptions,
): Promise<readonly Measurement[]> {
  await using folder = await temporaryFolder();
  await using companion = await startGatewayCompanion({ folder: folder.path, limits: LIMITS });
  const target: Target = { port: companion.ready.port, connections, limit: LIMIT };
  const label = name === 'idle connections' ? `${connections.toLocaleString('en')} ${name}` : name;
  const measure = async (others: Others): Promise<Found> => {
    const found = await loadOthers(companion, others, seconds);
    if (found.missing > 0) note(`${label}: ${found.missing} messages from other participants never arrived.`);
    return found;
  };
  const figures = ({ p50, p99, cpu }: Found): readonly Figure[] => [
    { name: `p50 for others, ${label}`, unit: 'ms', value: p50 },
    { name: `p99 for others, ${label}`, unit: 'ms', value: p99 },
    { name: `server CPU, ${label}`, unit: 'ms/s', value: cpu },
  ];
  // Both start from the same state: garbage collection takes longer for a while after an attack.
  const begin = async (): Promise<{ readonly others: Others; readonly before: Usage }> => {
    const before = await companion.usage(true);
    return { others: await connectOthers(companion), before };
  };
  const contestants: readonly Contestant[] = [
    {
      parameters: { attack: 'none' },
      async round() {
        const { others } = await begin();
        return figures(await measure(others));
      },
    },
    {
      parameters: { attack: 'attacked' },
      async round() {
        const { others, before } = await begin();
        await using attacker = await startCompanion<number>('attacker', { name, ...target });
        if (name === 'idle connections' && attacker.ready < connections) {
          note(`Only ${attacker.ready} idle connections could be opened; check \`ulimit -n\`.`);
        }
        const found = await measure(others);
        const memory = {
          name: `memory growth, ${label}`,
          unit: 'MiB',
          value: (found.rss - before.rss) / MIB,
        };
        return [...figures(found), memory];
      },
    },
  ];
  return compareWithFirst(await measureInTurns(contestants, rounds));
}

interface Found {
  readonly p50: number;
  readonly p99: number;
  readonly missing: number;
  /** CPU time of the server, in milliseconds per second. */
  readonly cpu: number;
  /** Peak memory of the server in bytes. */
  readonly rss: number;
}

/** The participants who are connected before the attack. */
interface Others {
  readonly sender: Wire;
  readonly reader: Wire;
  readonly loud: Wire;
}

/** Each round opens new connections: an attack may have closed the old ones. */
async function connectOthers(companion: GatewayCompanion): Promise<Others> {
  const venue = gatewayVenue(companion);
  const [sender, reader, loud] = await Promise.all([
    venue.connect('agent'),
    venue.connect('reviewer'),
    venue.connect('tools'),
  ]);
  // First drains what the previous round left in buffers.
  await settle([sender, reader, loud], venue.dialect);
  return { sender, reader, loud };
}

async function loadOthers(
  companion: GatewayCompanion,
  { sender, reader, loud }: Others,
  seconds: number,
): Promise<Found> {
  const run = runName();
  let large = 0;
  const text = 'x'.repeat(LARGE);
  const noise = setInterval(() => {
    const message = { id: `L${run}${large++}`, to: ['reviewer'], kind: 'chat.message', payload: { text } };
    loud.send(textFrame(JSON.stringify(message), 'to server'));
  }, 1000 / LARGE_PER_SECOND);
  const before = await companion.usage();
  const since = performance.now();
  const watching = watchMemory(companion);
  const { times, missing } = await pace({
    sender,
    reader,
    to: 'reviewer',
    seconds,
    perSecond: SMALL_PER_SECOND,
  });
  const cpu = ((await companion.usage()).cpu - before.cpu) / (performance.now() - since);
  clearInterval(noise);
  for (const wire of [sender, reader, loud]) wire.close();
  const rss = await watching.most();
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), missing, cpu, rss };
}

/** Polls the server's memory, one request at a time: it may be slow to answer. */
function watchMemory(companion: GatewayCompanion): { readonly most: () => Promise<number> } {
  const over = new AbortController();
  async function watch(): Promise<number> {
    let most = 0;
    do {
      most = Math.max(most, (await companion.usage()).rss);
      await new Promise((resolve) => setTimeout(resolve, 100));
    } while (!over.signal.aborted);
    return most;
  }
  const found = watch();
  return {
    most() {
      over.abort();
      return found;
    },
  };
}
