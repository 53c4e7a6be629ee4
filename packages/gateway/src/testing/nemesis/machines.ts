import { startNatsServers } from '@proffer/journal/testing';
import { type Child, startProgram } from '../kill/child.js';
import program from './gateway-main.program';

/** Something that can be killed, stopped for a while, and started again. */
export interface Machine {
  readonly name: string;
  isUp: boolean;
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
}

/** Three NATS servers and some gateways on them. */
export interface Machines extends AsyncDisposable {
  readonly servers: readonly Machine[];
  readonly gateways: readonly Machine[];
  /** Where clients connect to, one for each gateway; the same after a restart. */
  readonly addresses: readonly string[];
  readonly urls: readonly string[];
  readonly stream: string;
}

export interface MachinesOptions {
  readonly gateways: number;
  readonly yaml: string;
}

export async function startMachines({ gateways: count, yaml }: MachinesOptions): Promise<Machines> {
  // A server that is killed loses nothing only if what it acknowledged is on its disk.
  const nats = await startNatsServers({ count: 3, sync: true });
  const stream = 'nemesis';
  const servers = nats.servers.map((server, index): Machine => {
    const machine: Machine = {
      name: `server ${index + 1}`,
      isUp: true,
      async kill() {
        machine.isUp = false;
        await server.stop('SIGKILL');
      },
      async start() {
        if (machine.isUp) return;
        await server.start();
        machine.isUp = true;
      },
      signal: (signal) => server.signal(signal),
    };
    return machine;
  });
  const addresses: string[] = [];
  const gateways: Machine[] = [];
  for (let index = 0; index < count; index++) {
    let child: Child | undefined;
    let port = 0;
    const machine: Machine = {
      name: `gateway ${index + 1}`,
      isUp: false,
      async kill() {
        machine.isUp = false;
        await child?.kill();
      },
      async start() {
        if (machine.isUp) return;
        child = await startProgram(program, [nats.urls.join(','), stream, String(port), yaml]);
        port = child.port;
        machine.isUp = true;
      },
      signal: (signal) => void child?.process.kill(signal),
    };
    await machine.start();
    addresses.push(`ws://127.0.0.1:${port}/ws`);
    gateways.push(machine);
  }
  return {
    servers,
    gateways,
    addresses,
    urls: nats.urls,
    stream,
    async [Symbol.asyncDispose]() {
      for (const machine of gateways) await machine.kill();
      await nats[Symbol.asyncDispose]();
    },
  };
}
