import process from 'node:process';
import { startNatsServers } from '@proffer/journal/testing/nats-servers';
import type { Occasion } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import type { Served } from '../gateway/servers/gateway.js';
import { type Companion, startCompanion } from '../processes/companion.js';
import { processorTime } from '../processes/processor-time.js';

/** NATS servers that sync every write, and gateways on them. */
export interface Cluster extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly replicas: number;
  /** Microseconds of processor time of all servers so far; `undefined` where the system does not tell. */
  serverTime(): Promise<number | undefined>;
  /** Starts a gateway in a process of its own. */
  startGateway(options?: {
    readonly spaces?: readonly string[];
    readonly stream?: string;
  }): Promise<Companion<Served>>;
}

/** Starts them; nothing, with a note, where there is no server to start. */
export async function startCluster(
  count: number,
  { note }: Pick<Occasion, 'note'>,
): Promise<Cluster | undefined> {
  if (process.env['NATS_SERVER_PROGRAM'] === undefined) {
    note('Nothing was measured: NATS_SERVER_PROGRAM does not name a nats-server. `npm run bench` gets one.');
    return undefined;
  }
  const folder = await temporaryFolder();
  const nats = await startNatsServers({ count, sync: true, folder: folder.path });
  const { urls, servers } = nats;
  return {
    urls,
    replicas: count,
    async serverTime() {
      const times = await Promise.all(servers.map(({ pid }) => processorTime(pid ?? 0)));
      return times.reduce<number | undefined>(
        (sum, one) => (sum === undefined || one === undefined ? undefined : sum + one.cpu),
        0,
      );
    },
    startGateway: (options = {}) =>
      startCompanion<Served>('natsGateway', { servers: urls, stream: 'bench', replicas: count, ...options }),
    async [Symbol.asyncDispose]() {
      await nats[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
