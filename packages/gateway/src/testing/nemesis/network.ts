import { execFileSync } from 'node:child_process';
import { type Disturbance, disturb, disturbNoMore } from './packets.js';

/** A place in the network: a namespace with one address. */
export interface Place {
  readonly name: string;
  readonly ip: string;
}

/** From whom to whom nothing goes, by name. */
export type Cut = readonly [from: string, to: string];

/** Places that reach each other, until they do not. */
export interface Network {
  /** Where the clients are: outside of all namespaces. */
  readonly clients: Place;
  readonly places: readonly Place[];
  /** How to run something in a place. */
  inside(place: Place, command: readonly string[]): readonly string[];
  /** Nothing goes from these to those; all other ways are open. It is lost in silence, as on a cut cable. */
  cut(cuts: readonly Cut[]): void;
  /** What a place sends goes at so many kilobits a second; as fast as it can without one. */
  slow(place: Place, rate: number | undefined): void;
  /** Packets to a place get lost, or overtake each other; not any more without a disturbance. */
  disturb(place: Place, disturbance: Disturbance | undefined): void;
}

/** The hardware address that nobody has. */
const NOWHERE = '02:00:00:00:ff:ff';

const macOf = (ip: string): string =>
  `02:00:00:00:00:${Number(ip.split('.')[3]).toString(16).padStart(2, '0')}`;

const ip = (...args: readonly string[]): void => void execFileSync('ip', args, { stdio: 'pipe' });

/**
 * Makes a namespace for each name, and a bridge between all of them. Only for a process in a network namespace of its
 * own: it ends with that. Whoever knows a wrong hardware address for somebody sends into the void, so a way is cut
 * in one direction without a filter, which not every kernel has.
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
