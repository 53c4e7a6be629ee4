import { setTimeout as delay } from 'node:timers/promises';
import type { Machine, Machines } from './machines.js';

/** A kind of misfortune: what happens, and how it ends. */
type Misfortune = (machines: Machines, random: () => number) => Promise<string>;

const pick = (machines: readonly Machine[], random: () => number): Machine =>
  machines[Math.floor(random() * machines.length)] as Machine;

const killGateway: Misfortune = async ({ gateways }, random) => {
  const machine = pick(gateways, random);
  await machine.kill();
  await delay(random() * 1_000);
  await startSoon(machine);
  return `killed ${machine.name}`;
};

const stopGateway: Misfortune = async ({ gateways }, random) => {
  const machine = pick(gateways, random);
  const time = random() * 4_000;
  machine.signal('SIGSTOP');
  await delay(time);
  machine.signal('SIGCONT');
  return `stopped ${machine.name} for ${Math.round(time)} ms`;
};

const killServer: Misfortune = async ({ servers }, random) => {
  const machine = pick(servers, random);
  await machine.kill();
  await delay(random() * 2_000);
  await machine.start();
  return `killed ${machine.name}`;
};

const stopServer: Misfortune = async ({ servers }, random) => {
  const machine = pick(servers, random);
  const time = random() * 6_000;
  machine.signal('SIGSTOP');
  await delay(time);
  machine.signal('SIGCONT');
  return `stopped ${machine.name} for ${Math.round(time)} ms`;
};

/** Two of three: those who are left are a minority, and nothing may be decided there. */
const loseQuorum: Misfortune = async ({ servers }, random) => {
  const time = 1_000 + random() * 5_000;
  const lost = servers.slice(0, 2);
  for (const machine of lost) machine.signal('SIGSTOP');
  await delay(time);
  for (const machine of lost) machine.signal('SIGCONT');
  return `lost the quorum for ${Math.round(time)} ms`;
};

const killAllServers: Misfortune = async ({ servers }) => {
  await Promise.all(servers.map((machine) => machine.kill()));
  await Promise.all(servers.map((machine) => machine.start()));
  return 'killed all servers at once';
};

const MISFORTUNES: readonly Misfortune[] = [
  killGateway,
  killGateway,
  stopGateway,
  killServer,
  stopServer,
  loseQuorum,
  killAllServers,
];

/** Makes trouble until a time is over, one misfortune after the other; then everything runs again. Tells what it did. */
export async function makeTrouble(
  machines: Machines,
  { seconds, random }: { readonly seconds: number; readonly random: () => number },
): Promise<readonly string[]> {
  const done: string[] = [];
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await delay(random() * 1_000);
    const misfortune = MISFORTUNES[Math.floor(random() * MISFORTUNES.length)] as Misfortune;
    done.push(await misfortune(machines, random));
  }
  for (const machine of [...machines.servers, ...machines.gateways]) {
    machine.signal('SIGCONT');
    await startSoon(machine);
  }
  return done;
}

/** A gateway does not start without NATS; whoever runs it starts it again. */
async function startSoon(machine: Machine): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await machine.start();
    } catch (error) {
      if (attempt === 20) throw error;
      await delay(500);
    }
  }
}
