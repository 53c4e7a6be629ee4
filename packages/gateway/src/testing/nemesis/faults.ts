import type { Lab } from './lab.js';
import type { Machine } from './machine.js';

/** A temporary fault. */
export interface Fault {
  readonly what: string;
  /** Its duration in milliseconds. */
  readonly lasts: number;
  begin(): void;
  end?(): void;
}

/**
 * Draws all random choices, so that the same numbers give the same fault; `undefined` if it is not possible.
 */
export type DrawFault = (lab: Lab, random: () => number) => Fault | undefined;

/** One entry of a list. */
export const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item;

const kill =
  (of: (lab: Lab) => readonly Machine[], longest: number): DrawFault =>
  (lab, random) => {
    const machine = pick(of(lab), random);
    const lasts = random() * longest;
    return { what: `kill ${machine.name}`, lasts, begin: () => machine.kill(lasts) };
  };

const stop =
  (of: (lab: Lab, random: () => number) => readonly Machine[], longest: number): DrawFault =>
  (lab, random) => {
    const machines = of(lab, random);
    return {
      what: `stop ${machines.map(({ name }) => name).join(' and ')}`,
      lasts: random() * longest,
      begin: () => machines.forEach((machine) => machine.signal('SIGSTOP')),
      end: () => machines.forEach((machine) => machine.signal('SIGCONT')),
    };
  };

const allButOne = <Item>(items: readonly Item[], random: () => number): readonly Item[] => {
  const spared = pick(items, random);
  return items.filter((item) => item !== spared);
};

const killGateway = kill(({ gateways }) => gateways, 1_000);
const stopGateway = stop(({ gateways }, random) => [pick(gateways, random)], 4_000);
const killServer = kill(({ servers }) => servers, 2_000);
const stopServer = stop(({ servers }, random) => [pick(servers, random)], 6_000);

/** The rest is a minority, where nothing may be decided. */
const stopMostServers = stop(({ servers }, random) => allButOne(servers, random), 6_000);

/** Only servers that sync each write lose nothing then. */
const killAllServers: DrawFault = ({ servers }) => ({
  what: 'kill all servers',
  lasts: 0,
  begin: () => servers.forEach((machine) => machine.kill(0)),
});

/** The clock of one gateway is off by minutes, and corrected later. */
const jumpClock: DrawFault = ({ gateways }, random) => {
  const machine = pick(gateways, random);
  const minutes = Math.round((random() - 0.5) * 20);
  return {
    what: `set the clock of ${machine.name} ${minutes} minutes off`,
    lasts: random() * 8_000,
    begin: () => machine.write(`${minutes * 60_000}\n`),
    end: () => machine.write('0\n'),
  };
};

/** A server whose disk was full does not use it again until it is restarted. */
const fillDisk: DrawFault = ({ disk }, random) => {
  const lasts = random() * 8_000;
  if (disk === undefined) return undefined;
  return {
    what: `fill the disk of ${disk.owner.name}`,
    lasts,
    begin: () => disk.fill(),
    end() {
      disk.empty();
      disk.owner.kill();
    },
  };
};

/** Faults of processes. */
export const processFaults = ({ sync }: { readonly sync: boolean }): readonly DrawFault[] => [
  killGateway,
  killGateway,
  stopGateway,
  killServer,
  stopServer,
  stopMostServers,
  ...(sync ? [killAllServers] : []),
];

/** Faults of their machines. */
export const machineFaults: readonly DrawFault[] = [jumpClock, fillDisk];
