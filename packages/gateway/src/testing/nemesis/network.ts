import { execFileSync } from 'node:child_process';
import { type Disturbance, disturb, disturbNoMore } from './packets.js';

/** A host in the network: a namespace with one address. */
export interface Place {
  readonly name: string;
  readonly ip: string;
}

/** Nothing passes from whom to whom, by name. */
export type Cut = readonly [from: string, to: string];

/** Hosts that reach each other, until they do not. */
export interface Network {
  /** The clients' host: outside of all namespaces. */
  readonly clients: Place;
  readonly places: readonly Place[];
  /** How to run a program on a host. */
  inside(place: Place, command: readonly string[]): readonly string[];
  /** Cuts these links; all others are open. Packets are lost silently, as on a cut cable. */
  cut(cuts: readonly Cut[]): void;
  /** Limits what a host sends to this many kilobits a second; unlimited without one. */
  slow(place: Place, rate: number | undefined): void;
  /** Drops or reorders packets to a host; stops without a disturbance. */
  disturb(place: Place, disturbance: Disturbance | undefined): void;
}

/** A hardware address that nobody has. */
const NOWHERE = '02:00:00:00:ff:ff';

const macOf = (ip: string): string =>
  `02:00:00:00:00:${Number(ip.split('.')[3]).toString(16).padStart(2, '0')}`;

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

/**
 * Creates a namespace for each name, and a bridge between all of them. Only for a process in a separate
 * network namespace: it ends with that. A host with a wrong hardware address for another sends into the void,
 * so a link is cut in one direction without a filter, which not every kernel has.
 */
export function createNetwork(names: readonly string[]): Network {
  const clients: Place = { name: 'clients', ip: '10.77.0.1' };
  const places = names.map((name, index): Place => ({ name, ip: `10.77.0.${index + 11}` }));
  const all = [clients, ...places];
  const device = (place: Place): string => (place === clients ? 'hub' : 'eth0');
  const port = ({ name }: Place): string => `to-${name}`;
  const within = (place: Place): readonly string[] => (place === clients ? [] : ['-n', place.name]);

  ip('link', 'set', 'lo', 'up');
  ip('link', 'add', 'name', 'hub', 'address', macOf(clients.ip), 'type', 'bridge');
  for (const place of places) {
    ip('netns', 'add', place.name);
    ip('link', 'add', 'name', port(place), 'type', 'veth', 'peer', 'name', 'eth0', 'netns', place.name);
    ip('link', 'set', port(place), 'master', 'hub', 'up');
    ip('-n', place.name, 'link', 'set', 'lo', 'up');
  }
  for (const place of all) {
    const dev = ['dev', device(place)];
    ip(...within(place), 'addr', 'add', `${place.ip}/24`, ...dev);
    ip(...within(place), 'link', 'set', ...dev, 'address', macOf(place.ip), 'up');
  }

  const point = (from: Place, to: Place, mac: string): void =>
    ip(...within(from), 'neigh', 'replace', to.ip, 'lladdr', mac, 'nud', 'permanent', 'dev', device(from));
  for (const from of all) for (const to of all) if (from !== to) point(from, to, macOf(to.ip));

  let current = new Set<string>();
  return {
    clients,
    places,
    inside: ({ name }, command) => ['ip', 'netns', 'exec', name, ...command],
    cut(cuts) {
      const next = new Set(cuts.map((one) => one.join(' ')));
      for (const from of all)
        for (const to of all) {
          const key = `${from.name} ${to.name}`;
          if (current.has(key) !== next.has(key)) point(from, to, next.has(key) ? NOWHERE : macOf(to.ip));
        }
      current = next;
    },
    slow({ name }, rate) {
      const limit = rate === undefined ? ['del'] : ['replace'];
      const shape = rate === undefined ? [] : ['tbf', 'rate', `${rate}kbit`, 'burst', '8kb', 'latency', '2s'];
      execFileSync('tc', ['-n', name, 'qdisc', ...limit, 'dev', 'eth0', 'root', ...shape], { stdio: 'pipe' });
    },
    disturb(place, disturbance) {
      if (disturbance === undefined) disturbNoMore(port(place));
      else disturb(port(place), disturbance);
    },
  };
}
