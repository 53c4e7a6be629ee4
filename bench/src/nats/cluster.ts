import process from 'node:process';
import { startNatsServers } from '@proffer/journal/testing/nats-servers';
import type { BenchmarkContext } from '../benchmark.js';
import { temporaryFolder } from '../cleanup.js';
import type { Served } from '../gateway/servers/gateway.js';
import { type Companion, startCompanion } from '../processes/companion.js';
import { processorTime } from '../processes/processor-time.js';

/** NATS servers that sync every write, with gateways on them. */
export interface Cluster extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly replicas: number;
  /** CPU time of all servers so far, in microseconds; `undefined` if the system does not report it. */
  serverTime(): Promise<number | undefined>;
  /** Starts a gateway in a separate process. */
  startGateway(options?: {
    readonly spaces?: readonly string[];
    readonly stream?: string;
  }): Promise<Companion<Served>>;
}

/** Starts the servers; returns nothing, with a note, if there is no server program. */
export async function startCluster(
  count: number,
  { note }: Pick<BenchmarkContext, 'note'>,
): Promise<Cluster | undefined> {
  if (process.env['NATS_SERVER_PROGRAM'] === undefined) {
    note('Not measured: NATS_SERVER_PROGRAM is not set. `npm run bench` provides one.');
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
