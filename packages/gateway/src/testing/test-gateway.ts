import { createMemoryJournal, type Journal } from '@proffer/journal';
import { pino } from 'pino';
import { type GatewayConfig, parseConfig } from '../config/index.js';
import { type Gateway, startGateway } from '../gateway.js';

/** A real gateway on a port of its own, closed with `await using`. */
export interface TestGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly port: number;
  /** Where gRPC is served. */
  readonly grpcPort: number;
  readonly http: string;
  readonly ws: string;
}

/** The configuration of a text that must be right, on a free port. */
export function testConfig(yaml: string, port = 0): GatewayConfig {
  const { config, problems } = parseConfig(yaml, { file: 'test.yaml' });
  if (config === undefined) throw new Error(JSON.stringify(problems));
  return {
    ...config,
    listen: { ...config.listen, http: { host: '127.0.0.1', port }, grpc: { host: '127.0.0.1', port: 0 } },
  };
}

/** @param yaml - the configuration; dev mode unless told otherwise. The port is always a free one. */
export async function startTestGateway(
  yaml = 'dev: true',
  journal: Journal = createMemoryJournal(),
  clock: () => number = Date.now,
): Promise<TestGateway> {
  const log = pino({ level: 'silent' });
  const started = await startGateway({ config: testConfig(yaml), log, journal, clock });
  if (!started.ok) throw new Error(started.refusal.message);
  const { port } = started.value.address;
  return {
    gateway: started.value,
    port,
    grpcPort: started.value.grpcAddress?.port ?? 0,
    http: `http://127.0.0.1:${port}`,
    ws: `ws://127.0.0.1:${port}/ws`,
    [Symbol.asyncDispose]: () => started.value.close(),
  };
}
