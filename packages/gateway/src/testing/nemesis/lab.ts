import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '@proffer/core/json';
import { freePorts, natsConfig } from '@proffer/journal/testing';
import { until } from '../metrics.js';
import { NEMESIS_YAML } from './configuration.js';
import { Machine } from './machine.js';
import { createNetwork, type Network } from './network.js';

/** Three NATS servers and some gateways on them, each a separate process. */
export interface Lab {
  readonly servers: readonly Machine[];
  readonly gateways: readonly Machine[];
  /** The gateways' addresses for clients: HOST:PORT, the same after a restart. */
  readonly addresses: readonly string[];
  /** The servers' monitoring addresses: HOST:PORT. */
  readonly monitors: readonly string[];
  readonly urls: readonly string[];
  readonly stream: string;
  /** Absent if the machine allows no namespaces: then all are on one loopback address. */
  readonly network?: Network;
  /** The small disk of the last server. Absent if nothing can be mounted. */
  readonly disk?: Disk;
  stop(): void;
}

/** A disk that can be filled. */
export interface Disk {
  readonly owner: Machine;
  fill(): void;
  empty(): void;
}

export interface LabOptions {
  /** The folder for everything. */
  readonly folder: string;
  /** The program that runs a gateway. */
  readonly program: string;
  readonly gateways: number;
  /** Whether servers sync each write. */
  readonly sync: boolean;
  /** Whether each has its own network namespace, and one server a small disk. */
  readonly isIsolated: boolean;
}

const STREAM = 'nemesis';
const PORTS = { client: 4_222, route: 6_222, monitor: 8_222, gateway: 7_420 };

/** The size of the small disk, in megabytes. */
const DISK = 512;

/** Starts everything. Resolves when all are ready. */
export async function startLab(options: LabOptions): Promise<Lab> {
  const { folder, program, gateways: count, sync, isIsolated } = options;
  const serverNames = ['n1', 'n2', 'n3'];
  const gatewayNames = Array.from({ length: count }, (_, index) => `g${index + 1}`);
  const names = [...serverNames, ...gatewayNames];
  const network = isIsolated ? createNetwork(names) : undefined;
  const free = network === undefined ? await freePorts(names.length * 3) : [];
  const places = names.map((name, index) => {
    const place = network?.places[index];
    const [client, route, monitor] = free.slice(index * 3, index * 3 + 3);
    return {
      name,
      host: place?.ip ?? '127.0.0.1',
      ports: place === undefined ? { client, route, monitor, gateway: client } : PORTS,
      run: (command: readonly string[]) =>
        place === undefined || network === undefined ? command : network.inside(place, command),
    };
  });
  const isServer = ({ name }: { readonly name: string }): boolean => serverNames.includes(name);
  const routes = places.filter(isServer).map(({ host, ports }) => `nats://${host}:${ports.route}`);
  const urls = places.filter(isServer).map(({ host, ports }) => `nats://${host}:${ports.client}`);

  const store = (name: string): string => join(folder, name);
  for (const name of serverNames) mkdirSync(store(name), { recursive: true });
  const small = store(serverNames.at(-1) ?? '');
  if (isIsolated) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}m`, 'none', small]);

  const servers = places.filter(isServer).map(({ name, host, ports, run }) => {
    const file = join(folder, `${name}.conf`);
    const config = natsConfig({ name, host, ports, store: store(name), sync, routes });
    writeFileSync(file, `${config}\nhttp: ${host}:${ports.monitor}\n`);
    const command = run([process.env['NATS_SERVER_PROGRAM'] ?? 'nats-server', '-c', file]);
    return new Machine({ name, command, ready: 'Server is ready' });
  });
  const gatewayPlaces = places.filter((place) => !isServer(place));
  const gateways = gatewayPlaces.map(({ name, host, ports, run }) => {
    const args = [urls.join(','), STREAM, host, String(ports.gateway), NEMESIS_YAML];
    return new Machine({ name, command: run([process.execPath, program, ...args]), ready: 'ready\n' });
  });
  await until(() => [...servers, ...gateways].every(({ isReady }) => isReady));
  const owner = servers.at(-1);
  return {
    servers,
    gateways,
    addresses: gatewayPlaces.map(({ host, ports }) => `${host}:${ports.gateway}`),
    monitors: places.filter(isServer).map(({ host, ports }) => `${host}:${ports.monitor}`),
    urls,
    stream: STREAM,
    ...defined({ network }),
    ...(isIsolated && owner !== undefined ? { disk: createDisk(owner, small) } : {}),
    stop: () => [...gateways, ...servers].forEach((machine) => machine.stop()),
  };
}

function createDisk(owner: Machine, folder: string): Disk {
  const ballast = join(folder, 'ballast');
  return {
    owner,
    fill() {
      const file = openSync(ballast, 'w');
      const megabyte = Buffer.alloc(1_048_576);
      try {
        for (;;) writeSync(file, megabyte);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
  };
}
