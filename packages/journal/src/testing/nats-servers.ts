import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePorts } from './free-ports.js';

export interface NatsServersOptions {
  /** How many, in one cluster. Default 1. */
  readonly count?: number;
  /** Whether each write is synced to disk before it is acknowledged. Default false. */
  readonly sync?: boolean;
  /** Where they store their data. Default: the system's temporary folder. */
  readonly folder?: string;
  /** Added to the configuration of each server. */
  readonly extra?: string;
}

/** Opens a journal on these servers: they let anyone in, and the keys are no secret. */
export const TEST_ACCESS = {
  keys: { text: `test:${'k'.repeat(43)}` },
  allowInsecure: true,
} as const;

/** The same in a configuration: `journal.nats`, as YAML. */
export function natsSettings(urls: readonly string[], replicas = 1): string {
  const keys = TEST_ACCESS.keys.text;
  return JSON.stringify({ servers: urls, replicas, keys, allow_insecure: true });
}

/** One of the servers. */
export interface NatsServer {
  readonly url: string;
  /** Its process; `undefined` while it is not running. */
  readonly pid: number | undefined;
  /** Stops it, at once by default. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Sends it a signal, such as SIGSTOP. */
  signal(signal: NodeJS.Signals): void;
  /** Restarts it with the data on its disk. */
  start(): Promise<void>;
}

/** NATS servers with JetStream on free local ports, which are stopped after the test. */
export interface NatsServers extends AsyncDisposable {
  readonly urls: readonly string[];
  readonly servers: readonly NatsServer[];
}

/**
 * Starts real NATS servers, the program named by NATS_SERVER_PROGRAM. Settles when they accept clients and, in a
 * cluster, have elected a leader, which takes long on a busy machine.
 */
export async function startNatsServers(options: NatsServersOptions = {}): Promise<NatsServers> {
  const { count = 1, sync = false, extra = '' } = options;
  const folder = await mkdtemp(join(options.folder ?? tmpdir(), 'proffer-nats-'));
  const ports = await freePorts(count * 2);
  const routes = ports.slice(count).map((port) => `nats://127.0.0.1:${port}`);
  const servers: ClusterServer[] = [];
  for (let index = 0; index < count; index++) {
    const config = natsConfig({
      name: `n${index + 1}`,
      host: '127.0.0.1',
      ports: { client: ports[index], route: ports[count + index] },
      store: join(folder, String(index)),
      sync,
      routes: count === 1 ? [] : routes,
    });
    const file = join(folder, `${index}.conf`);
    await writeFile(file, `${config}\n${extra}\n`);
    servers.push(createServerOf(file, `nats://127.0.0.1:${ports[index]}`));
  }
  await Promise.all(servers.map((server) => server.start()));
  if (count > 1) await Promise.all(servers.map((server) => server.seesLeader()));
  return {
    urls: servers.map(({ url }) => url),
    servers,
    async [Symbol.asyncDispose]() {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface NatsConfig {
  readonly name: string;
  readonly host: string;
  readonly ports: { readonly client: number | undefined; readonly route: number | undefined };
  /** The folder for all its data. */
  readonly store: string;
  readonly sync: boolean;
  /** The addresses of all servers of the cluster; empty for a single server. */
  readonly routes: readonly string[];
}

/** The configuration of a server with JetStream. */
export function natsConfig({ name, host, ports, store, sync, routes }: NatsConfig): string {
  const lines = [
    `server_name: ${name}`,
    `listen: ${host}:${ports.client}`,
    `jetstream { store_dir: ${JSON.stringify(store)}${sync ? ', sync_interval: always' : ''} }`,
  ];
  if (routes.length > 0)
    lines.push(
      `cluster { name: proffer-test, listen: ${host}:${ports.route}, routes: ${JSON.stringify(routes)} }`,
    );
  return lines.join('\n');
}

// What a server writes to its log when it accepts clients, and when it learns of a leader.
const READY = 'Server is ready';
const LEADER = 'metadata leader';

interface ClusterServer extends NatsServer {
  /** Settles when it knows a leader of the cluster. */
  seesLeader(): Promise<void>;
}

function createServerOf(config: string, url: string): ClusterServer {
  let child: ChildProcess | undefined;
  let election = Promise.resolve('');
  return {
    url,
    get pid() {
      return child?.pid;
    },
    async stop(signal = 'SIGKILL') {
      const running = child;
      child = undefined;
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, 'exit');
      running.kill(signal);
      await ended;
    },
    signal: (signal) => void child?.kill(signal),
    async start() {
      const program = process.env['NATS_SERVER_PROGRAM'] ?? 'nats-server';
      const started = spawn(program, ['-c', config], { stdio: ['ignore', 'ignore', 'pipe'] });
      child = started;
      started.stderr.setEncoding('utf8');
      election = writtenUntil(started.stderr, LEADER);
      const written = await writtenUntil(started.stderr, READY);
      if (!written.includes(READY)) throw new Error(`The NATS server did not start:\n${written}`);
    },
    async seesLeader() {
      const written = await election;
      if (!written.includes(LEADER)) throw new Error(`The NATS servers elected no leader:\n${written}`);
    },
  };
}

/** What a process writes until a text, as soon as it has written that, or until it ends. */
function writtenUntil(stream: Readable, text: string): Promise<string> {
  return new Promise((resolve) => {
    let written = '';
    const settle = (): void => {
      stream.off('data', onData).off('close', settle).resume();
      resolve(written);
    };
    const onData = (chunk: string): void => {
      written += chunk;
      if (written.includes(text)) settle();
    };
    stream.on('data', onData).on('close', settle);
  });
}
