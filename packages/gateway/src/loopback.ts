import { defined } from '@proffer/core/json';
import type { Journal, JournalPlace } from '@proffer/journal';
import { type Logger, pino } from 'pino';
import type { Companion } from './companion.js';
import { type GatewayConfig, type ParseConfigOptions, parseConfig } from './config/index.js';
import { type Gateway, startGateway } from './gateway.js';

export interface LoopbackOptions {
  /** Stores everything in this folder. Default: in memory, while the gateway runs. */
  readonly folder?: string;
  /** An open journal; closed with the gateway. */
  readonly journal?: Journal;
  /** Milliseconds since 1970. Default: the machine's clock. */
  readonly clock?: () => number;
  /** Default: nothing is logged. */
  readonly log?: Logger;
  /** Where HTTP and WebSocket are served. Default: any free port. */
  readonly port?: number;
  /** Where gRPC is served. Default: any free port. */
  readonly grpcPort?: number;
  /** The folder with the console's files. Default: it is not served. */
  readonly console?: string;
  /** Companions that run with it. Default: none. */
  readonly companions?: readonly Companion[];
}

/** A gateway in this process, reachable only from this machine; closed by `await using`. */
export interface LoopbackGateway extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly port: number;
  /** 0 if gRPC is off in the configuration. */
  readonly grpcPort: number;
  /** What clients connect to, such as `ws://127.0.0.1:7420`. */
  readonly url: string;
  /** What gRPC clients connect to, such as `127.0.0.1:50051`. */
  readonly target: string;
}

/**
 * Starts a gateway in this process, for tests and examples. Throws when the configuration is wrong or the
 * gateway cannot be started.
 *
 * @param yaml - the configuration, default: dev mode; its listen addresses are ignored
 */
export async function startOnLoopback(
  yaml = 'dev: true',
  options: LoopbackOptions = {},
): Promise<LoopbackGateway> {
  const { folder, journal, clock, log = pino({ level: 'silent' }), port = 0, grpcPort = 0 } = options;
  const config = loopbackConfig(yaml, { port, grpcPort });
  const place: JournalPlace =
    folder === undefined ? { backend: 'memory' } : { backend: 'local', path: folder };
  const started = await startGateway({
    config: {
      ...config,
      journal: { ...config.journal, ...place },
    },
    log,
    ...defined({ journal, clock, console: options.console, companions: options.companions }),
  });
  if (!started.ok) throw new Error(started.refusal.message);
  const gateway = started.value;
  const grpc = gateway.grpcAddress?.port ?? 0;
  return {
    gateway,
    port: gateway.address.port,
    grpcPort: grpc,
    url: `ws://127.0.0.1:${gateway.address.port}`,
    target: `127.0.0.1:${grpc}`,
    [Symbol.asyncDispose]: () => gateway.close(),
  };
}

/** A valid configuration on local ports only; 0 for any free one. Its gateway stops at once. */
export function loopbackConfig(
  yaml: string,
  {
    port = 0,
    grpcPort = 0,
    ...options
  }: Pick<ParseConfigOptions, 'channelTypes'> & { readonly port?: number; readonly grpcPort?: number } = {},
): GatewayConfig {
  const { config, problems } = parseConfig(yaml, { ...options, file: 'loopback.yaml' });
  if (config === undefined) throw new Error(problems.map(({ message }) => message).join(' '));
  const { grpc, ...listen } = config.listen;
  const host = '127.0.0.1';
  const addresses = {
    http: { host, port },
    ...(grpc === undefined ? {} : { grpc: { host, port: grpcPort } }),
  };
  // There is no proxy that needs to hear of a stop first.
  const shutdown = { ...config.shutdown, notReadyFor: 0 };
  return { ...config, shutdown, listen: { ...listen, ...addresses } };
}
