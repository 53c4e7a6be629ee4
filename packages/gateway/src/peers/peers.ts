import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import type { Standing } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { RateLimiter } from '../door/index.js';
import type { Metrics } from '../metrics/index.js';
import { decodeMember, encodeMember, type RemoteMember } from './member.js';
import { type Lodging, Roster } from './roster.js';
import { createSharedRates } from './shared-rates.js';

/** What a room tells the other gateways of those who are connected here. */
export interface SpacePeers {
  entered(name: string, standing: Standing): void;
  left(name: string): void;
  /** A participant serves through a connection here. */
  serves(name: string, instance: string | undefined): void;
}

/** The other gateways on the same journal. */
export interface Peers {
  /** What a space tells the others. */
  of(space: string): SpacePeers;
  /** A limit that holds over all gateways together. */
  share(limit: string, limiter: RateLimiter): RateLimiter;
  /** Learns who is connected elsewhere; settles when those that are there had the time to say. */
  start(): Promise<void>;
  close(): void;
}

export interface PeersOptions {
  readonly journal: Journal;
  /** Where somebody who is connected elsewhere takes part, by space. */
  readonly rooms: ReadonlyMap<string, Lodging>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly metrics: Pick<Metrics, 'peerGateways'>;
}

/** How often each gateway says that it is there, and after which silence it is not, in milliseconds. */
const BEAT = 500;
const SILENCE = 2_500;

/** How long the others have to answer a gateway that comes, in milliseconds. */
const ANSWER = 200;

/** So many members are named in one message. */
const PART = 200;

/**
 * Tells the other gateways who is connected here, and learns who is connected to them. It is only told, not kept: each
 * gateway names its own, and what was missed is asked for again. Nothing for a journal that has one owner.
 */
export function connectPeers({ journal, rooms, clock, metrics }: PeersOptions): Peers | undefined {
  const { peers: channel } = journal;
  if (channel === undefined) return undefined;
  const gateway = randomUUID();
  const own = new Map<string, { member: RemoteMember; connections: number }>();
  const roster = new Roster(
    (space) => rooms.get(space),
    () => performance.now(),
  );
  let version = 0;
  let isCutOff = false;
  let beating: NodeJS.Timeout | undefined;

  const tell = (type: string, fields: JsonObject = {}): void => channel.tell({ type, gateway, ...fields });

  function change(fields: JsonObject): void {
    version++;
    tell('change', { version, ...fields });
  }

  function nameAll(): void {
    const members = Array.from(own.values(), ({ member }) => encodeMember(member));
    tell('begin');
    for (let start = 0; start < members.length; start += PART)
      tell('members', { members: members.slice(start, start + PART) });
    tell('end', { version });
  }

  function hear(message: JsonObject): void {
    const from = message['gateway'];
    if (typeof from !== 'string' || from === gateway) return;
    const at = Number(message['version']);
    const listening: Readonly<Record<string, () => void>> = {
      ask: () => {
        if (message['whom'] === undefined || message['whom'] === gateway) nameAll();
      },
      begin: () => roster.begin(from),
      members: () => joined(from, message['members']),
      end: () => roster.end(from, at),
      beat: () => askUnless(from, roster.heard(from, at)),
      change: () => {
        askUnless(from, roster.changed(from, at));
        joined(from, [message['member'] ?? null]);
        const { left } = message;
        if (!isJsonObject(left)) return;
        const { space, name } = left;
        if (typeof space === 'string' && typeof name === 'string') roster.left(from, space, name);
      },
      spent: () => rates.hear(message['limit'], message['spent']),
      bye: () => roster.forget(from),
    };
    const { type } = message;
    if (typeof type === 'string') listening[type]?.();
  }

  function joined(from: string, members: JsonObject[string] | undefined): void {
    for (const one of Array.isArray(members) ? members : []) {
      const member = decodeMember(one);
      if (member !== undefined) roster.joined(from, member);
    }
  }

  /** Something of it was missed, or it is new here. */
  function askUnless(whom: string, isComplete: boolean): void {
    if (!isComplete) tell('ask', { whom });
  }

  const rates = createSharedRates((limit, spent) => tell('spent', { limit, spent }), clock);
  const stopListening = channel.listen(hear);
  // Without NATS nobody is heard of, and nobody is gone because of that.
  const stopWatching = journal.watch?.(({ type }) => {
    if (type === 'failing') isCutOff = true;
    if (type !== 'recovered') return;
    isCutOff = false;
    roster.excuse();
    tell('ask');
  });

  return {
    share: (limit, limiter) => rates.share(limit, limiter),
    of(space) {
      const keyOf = (name: string): string => `${space}/${name}`;
      return {
        entered(name, standing) {
          const known = own.get(keyOf(name));
          const member = { ...known?.member, space, name, standing };
          own.set(keyOf(name), { member, connections: (known?.connections ?? 0) + 1 });
          if (known === undefined) change({ member: encodeMember(member) });
        },
        left(name) {
          const known = own.get(keyOf(name));
          if (known === undefined || --known.connections > 0) return;
          own.delete(keyOf(name));
          change({ left: { space, name } });
        },
        serves(name, instance = '') {
          const known = own.get(keyOf(name));
          if (known === undefined || known.member.serves === instance) return;
          known.member = { ...known.member, serves: instance };
          change({ member: encodeMember(known.member) });
        },
      };
    },
    async start() {
      tell('ask');
      nameAll();
      beating = setInterval(() => {
        tell('beat', { version });
        if (!isCutOff) roster.expire(SILENCE);
        metrics.peerGateways.set(roster.gateways.length);
      }, BEAT);
      beating.unref();
      await new Promise((resolve) => setTimeout(resolve, ANSWER));
    },
    close() {
      clearInterval(beating);
      rates.stop();
      tell('bye');
      stopListening();
      stopWatching?.();
      for (const other of roster.gateways) roster.forget(other);
    },
  };
}
