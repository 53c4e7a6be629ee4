import { CONSOLE_FOLDER } from '@proffer/console';
import { startOnLoopback } from '@proffer/gateway';
import { pino } from 'pino';

export type GatewayServerOptions = {
  /** Where the journal is; everything is durable in it before it is delivered. */
  readonly folder: string;
  /** Names of its spaces. Default `main` alone. */
  readonly spaces?: readonly string[];
  /** Lines below `limits` of the configuration. Default: so high that no load here meets one. */
  readonly limits?: Readonly<Record<string, string>>;
  /** How long resent messages are recognised, such as `1m`. Default: the gateway's own. */
  readonly dedupWindow?: string;
  /** Whether it serves the console. Default no. */
  readonly console?: boolean;
};

/** Where a server is, and how long it took to become ready. */
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

/** The configuration of a gateway that a load is put on. */
export function loadYaml(options: Pick<GatewayServerOptions, 'limits' | 'spaces' | 'dedupWindow'>): string {
  const limits = Object.entries({ ...UNLIMITED, ...options.limits }).map(
    ([key, value]) => `  ${key}: ${value}`,
  );
  const settings = options.dedupWindow === undefined ? '' : `dedup_window: ${options.dedupWindow}`;
  const spaces = (options.spaces ?? ['main']).map((name) => `  ${name}: {${settings}}`);
  return ['dev: true', 'limits:', ...limits, 'spaces:', ...spaces, ''].join('\n');
}

/** The gateway as it is, in dev mode, over a local journal. */
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
