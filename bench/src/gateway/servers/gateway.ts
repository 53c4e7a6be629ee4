import { CONSOLE_FOLDER } from '@proffer/console';
import { startOnLoopback } from '@proffer/gateway';
import { pino } from 'pino';

export type GatewayServerOptions = {
  /** Where the journal is. Messages are durable in it before they are delivered. */
  readonly folder: string;
  /** Names of the spaces. Default: only `main`. */
  readonly spaces?: readonly string[];
  /** Lines for the `limits` section of the configuration. Default: too high to matter here. */
  readonly limits?: Readonly<Record<string, string>>;
  /** The dedup window, such as `1m`. Default: the gateway's default. */
  readonly dedupWindow?: string;
  /** What the journal survives. Default: a power cut. */
  readonly durability?: 'power' | 'process';
  /** Whether to serve the console. Default: no. */
  readonly console?: boolean;
};

/** Where a server listens, and how long it took to become ready. */
export type Served = { readonly port: number; readonly grpcPort: number; readonly milliseconds: number };

const UNLIMITED = {
  messages_per_participant: '10000000/s',
  connections_per_token: '100000',
  pending_proposals_per_participant: '10000000',
  unacknowledged_per_connection: '256MiB',
  negotiation_messages_per_participant: '10000000/s',
  session_starts_per_participant: '10000000/s',
  open_sessions_per_participant: '1000000',
};

/** The configuration of a gateway under load. */
export function loadYaml(options: Omit<GatewayServerOptions, 'folder' | 'console'>): string {
  const limits = Object.entries({ ...UNLIMITED, ...options.limits }).map(
    ([key, value]) => `  ${key}: ${value}`,
  );
  const settings = options.dedupWindow === undefined ? '' : `dedup_window: ${options.dedupWindow}`;
  const spaces = (options.spaces ?? ['main']).map((name) => `  ${name}: {${settings}}`);
  const journal = `journal: { durability: ${options.durability ?? 'power'} }`;
  return ['dev: true', journal, 'limits:', ...limits, 'spaces:', ...spaces, ''].join('\n');
}

/** A regular gateway in dev mode with a local journal. */
export async function serveGateway(options: GatewayServerOptions): Promise<Served> {
  const start = performance.now();
  const log = pino({ level: 'error' }, pino.destination(2));
  const { port, grpcPort } = await startOnLoopback(loadYaml(options), {
    folder: options.folder,
    log,
    ...(options.console === true ? { console: CONSOLE_FOLDER } : {}),
  });
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (!ready.ok) throw new Error(`/readyz answers ${ready.status}`);
  return { port, grpcPort, milliseconds: performance.now() - start };
}
