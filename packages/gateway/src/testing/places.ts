import type { JsonObject } from '@proffer/core/json';
import { createMemoryJournal, type Journal, type JournalPlace } from '@proffer/journal';
import { startNatsServers, TEST_ACCESS } from '@proffer/journal/testing';
import { afterAll, beforeAll } from 'vitest';
import { shared } from './journals.js';
import { openOnNats } from './on-nats.js';
import { type Answer, ask } from './peers/http.js';
import { joinAs, rootOf } from './peers/mew-client.js';
import { connectPeer, type Peer } from './peers/peer.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

/** A space at one gateway. */
export interface Place extends TestGateway {
  readonly space: string;
  /** Connects as a participant, or with any token. */
  connect(token: string, query?: Readonly<Record<string, string>>): Promise<Peer>;
  /** Joins like a mew client. */
  join(name: string): ReturnType<typeof joinAs>;
  /** Sends one message. */
  post(token: string, message: JsonObject): Promise<Answer>;
  /** Reads something of the space, such as `/grants`. */
  ask(path: string, token: string, init?: RequestInit): Promise<Answer>;
}

/** One space at three gateways; or at fewer, some of them repeated. */
export type Places = readonly [Place, Place, Place];

/**
 * The space of a test: a separate one, so that all tests of a file can share the gateways.
 *
 * @param space - one of those named in the options. Default: the next unused one
 */
export type TakePlaces = (space?: string) => Places;

/** Gateways that share one journal, for all tests of a file. */
export interface Venue {
  readonly take: TakePlaces;
  /** The problems of the journal. */
  readonly faults: () => Promise<readonly unknown[]>;
}

export interface PlacesOptions {
  /** The configuration besides the spaces. Default: dev mode. */
  readonly yaml?: string;
  /** Spaces with settings, as YAML. */
  readonly spaces?: Readonly<Record<string, string>>;
  /** Participants with all rights everywhere, besides `reviewer`. */
  readonly masters?: readonly string[];
}

/** The number of spaces without settings. */
const SPACES = 40;

interface Started {
  readonly gateways: readonly TestGateway[];
  readonly journal: Pick<Journal, 'verify'>;
  readonly close?: () => PromiseLike<void>;
}

type NatsPlace = Extract<JournalPlace, { readonly backend: 'nats' }>;

/** Gateways on three NATS servers, and room for more. */
export interface NatsVenue extends Venue {
  /** Three more gateways, on a separate journal on the same servers. Closed by `await using`. */
  readonly start: (yaml: string, clock?: () => number) => Promise<OwnGateways>;
  /** The location of a new journal on the same servers. */
  readonly newPlace: () => NatsPlace;
}

export interface OwnGateways extends AsyncDisposable {
  readonly gateways: readonly [TestGateway, TestGateway, TestGateway];
}

/** Three gateways on three NATS servers, for all tests of a file: call it at describe time. */
export function onThreeGateways(options: PlacesOptions = {}): NatsVenue {
  let urls: readonly string[] = [];
  let streams = 0;
  async function startThree(yaml: string, stream: string, clock?: () => number) {
    const open = (index: number): Promise<Journal> =>
      // Each prefers a different server.
      openOnNats({ servers: [...urls.slice(index), ...urls.slice(0, index)], stream });
    const journal = await open(0);
    const others = await Promise.all([open(1), open(2)]);
    const gateways = await Promise.all([journal, ...others].map((one) => startTestGateway(yaml, one, clock)));
    return { gateways, journal };
  }
  const venue = usePlaces(options, async (yaml) => {
    const servers = await startNatsServers({ count: 3 });
    ({ urls } = servers);
    return { ...(await startThree(yaml, 'three')), close: () => servers[Symbol.asyncDispose]() };
  });
  return {
    ...venue,
    newPlace: () => ({
      backend: 'nats',
      ...TEST_ACCESS,
      servers: urls,
      stream: `own-${streams++}`,
      replicas: 3,
    }),
    async start(yaml, clock) {
      const [first, second, third] = (await startThree(yaml, `own-${streams++}`, clock)).gateways;
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('The gateways are not there.');
      const gateways = [first, second, third] as const;
      return {
        gateways,
        async [Symbol.asyncDispose]() {
          await Promise.all(gateways.map(({ gateway }) => gateway.close()));
        },
      };
    },
  };
}

/** The same for two gateways on one journal in memory: each learns of the other only by the journal. */
export function onTwoGateways(options: PlacesOptions = {}): Venue {
  return usePlaces(options, async (yaml) => {
    const journal = createMemoryJournal();
    const first = await startTestGateway(yaml, shared(journal));
    return { journal, gateways: [first, await startTestGateway(yaml, shared(journal)), first] };
  });
}

/** The same for one gateway. */
export function onOneGateway(options: PlacesOptions = {}): Venue {
  return usePlaces(options, async (yaml) => {
    const journal = createMemoryJournal();
    const gateway = await startTestGateway(yaml, journal);
    return { journal, gateways: [gateway, gateway, gateway] };
  });
}

function usePlaces(
  { yaml = 'dev: true', spaces = {}, masters = [] }: PlacesOptions,
  start: (yaml: string) => Promise<Started>,
): Venue {
  const unused = Array.from({ length: SPACES }, (_, index) => `t${index}`);
  const settings = { ...Object.fromEntries(['main', ...unused].map((name) => [name, '{}'])), ...spaces };
  const everything = Object.keys(settings).map((name) => `${name}: ["*"]`);
  const lines = [
    yaml,
    'spaces:',
    ...Object.entries(settings).map(([name, value]) => `  ${name}: ${value}`),
    ...(masters.length === 0 ? [] : ['participants:']),
    ...masters.map((name) => `  ${name}: { spaces: { ${everything.join(', ')} } }`),
  ];
  let started: Started | undefined;
  beforeAll(async () => {
    started = await start(lines.join('\n'));
  });
  afterAll(async () => {
    await Promise.all(started?.gateways.map(({ gateway }) => gateway.close()) ?? []);
    await started?.close?.();
  });
  return {
    take(space = unused.shift() ?? '') {
      const [first, second, third] = started?.gateways.map((gateway) => placeAt(gateway, space)) ?? [];
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('The gateways are not there.');
      return [first, second, third];
    },
    faults: async () => (await started?.journal.verify())?.faults ?? [],
  };
}

function placeAt(gateway: TestGateway, space: string): Place {
  const url = `${gateway.http}/spaces/${space}`;
  return {
    ...gateway,
    space,
    connect: (token, query = {}) => connectPeer(gateway.ws, token, { space, ...query }),
    join: (name) => joinAs(rootOf(gateway.http), { type: 'join', space, token: name, participantId: name }),
    post: (token, message) =>
      ask(`${url}/messages`, token, { method: 'POST', body: JSON.stringify(message) }),
    ask: (path, token, init) => ask(`${url}${path}`, token, init),
  };
}
