import { createHash } from 'node:crypto';
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
  /** Lines for the `evidence` section of the configuration. Default: there is no signed log. */
  readonly evidence?: Readonly<Record<string, string | boolean>>;
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
  const callers = options.durability === 'process' ? listedCallers() : ['dev: true'];
  const journal = `journal: { durability: ${options.durability ?? 'power'} }`;
  const evidence = options.evidence === undefined ? [] : [`evidence: ${JSON.stringify(options.evidence)}`];
  return [...callers, journal, ...evidence, 'limits:', ...limits, 'spaces:', ...spaces, ''].join('\n');
}

/** Those who take part in cycles, with their names as tokens. A journal that is synced later excludes dev mode. */
function listedCallers(): readonly string[] {
  const observers = Array.from({ length: 100 }, (_, index) => `observer-${index}`);
  return [
    'participants:',
    ...['agent', 'reviewer', 'tools', ...observers].map(
      (name) => `  ${name}: { tokens: [sha256:${hashOf(name)}], spaces: { main: ["*"] } }`,
    ),
  ];
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A regular gateway with a local journal, in dev mode unless the journal is synced later. */
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
