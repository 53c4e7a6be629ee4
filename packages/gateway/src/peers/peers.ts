import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { isJsonObject, type JsonObject } from '@proffer/core/json';
import type { Journal } from '@proffer/journal';
import type { Logger } from 'pino';
import { formatAddress, type GatewayConfig, sharedParts } from '../config/index.js';
import type { RateLimiter } from '../door/index.js';
import type { Metrics } from '../metrics/index.js';
import { createAgreement, type Difference } from './agreement.js';
import { decodeMember } from './member.js';
import { createOwnMembers, type SpaceMembers } from './own-members.js';
import { type Lodging, Roster } from './roster.js';
import { createSharedRates } from './shared-rates.js';

/** What a room tells the other gateways, and hears from them. */
export interface SpacePeers extends SpaceMembers {
  /** See {@link Peers.channel}. */
  channel: Peers['channel'];
}

/** The other gateways on the same journal. */
export interface Peers {
  /** What a space tells the others. */
  of(space: string): SpacePeers;
  /** A limit that holds over all gateways together. */
  share(limit: string, limiter: RateLimiter): RateLimiter;
  /**
   * A way to tell the others what is neither kept nor told again. One for each topic.
   *
   * @param hear - is told what the others say
   * @returns how to say something; false if it is larger than what can be said
   */
  channel(topic: string, hear: (said: JsonObject) => void): (say: JsonObject) => boolean;
  /** This gateway was reloaded: the others compare its configuration with theirs. */
  reloaded(config: GatewayConfig): void;
  /** Which of the others are configured in another way where all should be the same. */
  differences(): readonly Difference[];
  /** Learns who is connected elsewhere; settles when those that are there had the time to say. */
  start(): Promise<void>;
  close(): void;
}

export interface PeersOptions {
  readonly journal: Journal;
  /** Where someone who is connected elsewhere takes part, by space. */
  readonly rooms: ReadonlyMap<string, Lodging>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly metrics: Pick<Metrics, 'peerGateways'>;
  /** What this gateway was started with. */
  readonly config: GatewayConfig;
  readonly log: Pick<Logger, 'warn'>;
}

/** How often each gateway says that it is there, and after which silence it is not, in milliseconds. */
const BEAT = 500;
const SILENCE = 2_500;

/** How long the others have to answer a gateway that comes, in milliseconds. */
const ANSWER = 200;

const NOWHERE = { host: 'no address', port: 0 };

/**
 * Tells the other gateways who is connected here, and learns who is connected to them. It is only told, not kept: each
 * gateway names its own, and what was missed is asked for again. `undefined` for a journal that has one owner.
 */
export function connectPeers(options: PeersOptions): Peers | undefined {
  const { journal, rooms, clock, metrics, config, log } = options;
  const { peers: channel } = journal;
  if (channel === undefined) return undefined;
  const gateway = randomUUID();
  const roster = new Roster(
    (space) => rooms.get(space),
    () => performance.now(),
  );
  let isCutOff = false;
  let beating: NodeJS.Timeout | undefined;

  const tell = (type: string, fields: JsonObject = {}): boolean => channel.tell({ type, gateway, ...fields });

  const own = createOwnMembers(tell);
  let parts = sharedParts(config);
  const agreement = createAgreement({
    name: `${hostname()} (${formatAddress(config.listen.http ?? config.listen.grpc ?? NOWHERE)})`,
    parts: () => parts,
    tell,
    log,
  });
  const channels = new Map<string, (said: JsonObject) => void>();

  /** By type: what another gateway says. */
  const listening: Readonly<Record<string, Listener>> = {
    ask: (_, { whom }) => {
      if (whom !== undefined && whom !== gateway) return;
      own.nameAll();
      agreement.announce();
    },
    begin: unlessOvertaken((from) => roster.begin(from)),
    members: unlessOvertaken((from, { members }) => joined(from, members)),
    end: unlessOvertaken((from, { version }) => roster.end(from, Number(version))),
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
    config: (from, message) => agreement.hear(from, message),
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
    // What a later version tells besides this is not for us.
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
    channel: openChannel,
    of: (space) => ({
      ...own.in(space),
      channel: (topic, onSaid) => openChannel(`${topic}/${space}`, onSaid),
    }),
    reloaded(next) {
      parts = sharedParts(config, next);
      agreement.announce();
    },
    differences: () => agreement.differences(),
    async start() {
      tell('ask');
      own.nameAll();
      agreement.announce();
      beating = setInterval(() => {
        tell('beat', { version: own.version });
        if (!isCutOff) roster.expire(SILENCE);
        agreement.keep(roster.gateways);
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
