import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';
import { formatAddress, type GatewayConfig, sharedParts } from '../config/index.js';
import type { RateLimiter } from '../door/index.js';
import type { Metrics } from '../metrics/index.js';
import { compareConfigs, type Difference } from './config-comparison.js';
import { decodeMember } from './member.js';
import { createOwnMembers, type SpaceMembers } from './own-members.js';
import { type RemoteAdmission, Roster } from './roster.js';
import { createSharedRates } from './shared-rates.js';

/** What a space tells the other gateways, and learns from them. */
export interface SpacePeers extends SpaceMembers {
  /** See {@link Peers.channel}. */
  channel: Peers['channel'];
}

/** The other gateways on the same journal. */
export interface Peers {
  /** A space's reports to the others. */
  of(space: string): SpacePeers;
  /** A limit that holds across all gateways. */
  share(limit: string, limiter: RateLimiter): RateLimiter;
  /**
   * A channel to the others for messages that are neither stored nor repeated. One per topic.
   *
   * @param hear - called with the others' messages
   * @returns a function to send something; false if it is too large
   */
  channel(topic: string, hear: (said: JsonObject) => void): (say: JsonObject) => boolean;
  /** This gateway was reloaded: the others compare its configuration with theirs. */
  reloaded(config: GatewayConfig): void;
  /** Which of the others differ in settings that should be the same everywhere. */
  differences(): readonly Difference[];
  /** Learns who is connected elsewhere; resolves when the others had time to answer. */
  start(): Promise<void>;
  close(): void;
}

export interface PeersOptions {
  readonly journal: Journal;
  /** Where participants connected elsewhere are added, by space. */
  readonly liveSpaces: ReadonlyMap<string, RemoteAdmission>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly metrics: Pick<Metrics, 'peerGateways'>;
  /** The startup configuration. */
  readonly config: GatewayConfig;
  readonly log: Pick<Logger, 'warn'>;
}

/** The heartbeat interval, and the silence after which a gateway counts as gone, in milliseconds. */
const HEARTBEAT = 500;
const PEER_TIMEOUT = 2_500;

/** How long the others have to answer a new gateway, in milliseconds. */
const ANSWER = 200;

const NOWHERE = { host: 'no address', port: 0 };

/**
 * Tells the other gateways who is connected here, and learns who is connected to them. It is only reported,
 * not stored: each gateway lists its own, and what was missed is requested again. `undefined` for a journal
 * with one owner.
 */
export function connectPeers(options: PeersOptions): Peers | undefined {
  const { journal, liveSpaces, clock, metrics, config, log } = options;
  const { peers: channel } = journal;
  if (channel === undefined) return undefined;
  const gateway = randomUUID();
  const roster = new Roster(
    (space) => liveSpaces.get(space),
    () => performance.now(),
  );
  let isCutOff = false;
  let beating: NodeJS.Timeout | undefined;

  const tell = (type: string, fields: JsonObject = {}): boolean => channel.tell({ type, gateway, ...fields });

  const own = createOwnMembers(tell);
  let parts = sharedParts(config);
  const configs = compareConfigs({
    name: `${hostname()} (${formatAddress(config.listen.http ?? config.listen.grpc ?? NOWHERE)})`,
    parts: () => parts,
    tell,
    log,
  });
  const channels = new Map<string, (said: JsonObject) => void>();

  /** By type: a message from another gateway. */
  const listening: Readonly<Record<string, Listener>> = {
    ask: (_, { whom }) => {
      if (whom !== undefined && whom !== gateway) return;
      own.nameAll();
      configs.announce();
    },
    begin: unlessOvertaken((from, { version }) => roster.begin(from, Number(version))),
    members: unlessOvertaken((from, { members }) => joined(from, members)),
    end: unlessOvertaken((from, { version }) => askUnless(from, roster.end(from, Number(version)))),
    beat: (from, { version }) => askUnless(from, roster.heard(from, Number(version))),
    change: unlessOvertaken((from, { version, member, left }) => {
      askUnless(from, roster.changed(from, Number(version)));
      joined(from, [member ?? null]);
      if (!isJsonObject(left)) return;
      const { space, name } = left;
      if (typeof space === 'string' && typeof name === 'string') roster.left(from, space, name);
    }),
    spent: (_, { limit, spent }) => rates.hear(limit, spent),
    said: (_, { topic, said }) => {
      if (typeof topic === 'string' && isJsonObject(said)) channels.get(topic)?.(said);
    },
    config: (from, message) => configs.hear(from, message),
    bye: (from) => roster.forget(from),
  };

  type Listener = (from: string, message: JsonObject) => void;

  function unlessOvertaken(listen: Listener): Listener {
    return (from, message) => {
      if (!roster.isOvertaken(from, Number(message['version']))) listen(from, message);
    };
  }

  function hear(message: JsonObject): void {
    const { type, gateway: from } = message;
    if (typeof from !== 'string' || from === gateway || typeof type !== 'string') return;
    // Unknown messages of a later version are ignored.
    if (Object.hasOwn(listening, type)) listening[type]?.(from, message);
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

  function openChannel(topic: string, onSaid: (said: JsonObject) => void): (say: JsonObject) => boolean {
    channels.set(topic, onSaid);
    return (said) => roster.gateways.length === 0 || tell('said', { topic, said });
  }

  const rates = createSharedRates((limit, spent) => void tell('spent', { limit, spent }), clock);
  const stopListening = channel.listen(hear);
  // Without NATS nothing is received, and nobody counts as gone because of that.
  const stopWatching = journal.watch?.(({ type }) => {
    if (type === 'failing') isCutOff = true;
    if (type !== 'recovered') return;
    isCutOff = false;
    roster.excuse();
    tell('ask');
  });

  return {
    share: (limit, limiter) => rates.share(limit, limiter),
    channel: openChannel,
    of: (space) => ({
      ...own.in(space),
      channel: (topic, onSaid) => openChannel(`${topic}/${space}`, onSaid),
    }),
    reloaded(next) {
      parts = sharedParts(config, next);
      configs.announce();
    },
    differences: () => configs.differences(),
    async start() {
      tell('ask');
      own.nameAll();
      configs.announce();
      beating = setInterval(() => {
        tell('beat', { version: own.version });
        if (!isCutOff) roster.expire(PEER_TIMEOUT);
        configs.keep(roster.gateways);
        metrics.peerGateways.set(roster.gateways.length);
      }, HEARTBEAT);
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
