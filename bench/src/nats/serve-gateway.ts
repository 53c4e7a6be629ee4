import { startOnLoopback } from '@proffer/gateway';
import { openNatsJournal } from '@proffer/journal/nats';
import { TEST_ACCESS } from '@proffer/journal/testing/nats-servers';
import { pino } from 'pino';
import { loadYaml, type Served } from '../gateway/servers/gateway.js';

export type NatsGatewayOptions = {
  /** Addresses of the NATS servers. */
  readonly servers: readonly string[];
  readonly stream: string;
  readonly replicas: number;
  /** Names of the spaces. Default: only `main`. */
  readonly spaces?: readonly string[];
};

/** A regular gateway in dev mode with a journal on NATS. */
export async function serveNatsGateway(options: NatsGatewayOptions): Promise<Served> {
  const start = performance.now();
  const { servers, stream, replicas } = options;
  const opened = await openNatsJournal({ ...TEST_ACCESS, servers, stream, replicas });
  if (!opened.ok) throw new Error(opened.refusal.message);
  const log = pino({ level: 'error' }, pino.destination(2));
  const { port, grpcPort } = await startOnLoopback(loadYaml(options), { journal: opened.value, log });
  return { port, grpcPort, milliseconds: performance.now() - start };
}
