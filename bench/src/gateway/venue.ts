import { type Companion, startCompanion } from '../processes/companion.js';
import type { Usage } from '../processes/usage.js';
import { canonical, type Dialect, mew } from './driver/dialect.js';
import { createStock } from './driver/stock.js';
import { connectWire, type Wire } from './driver/wire.js';
import type { GatewayServerOptions, Served } from './servers/gateway.js';
import type { MewServer } from './servers/mew.js';

/** A server to put load on. */
export interface Venue {
  /** Its name in the figures. */
  readonly server: string;
  readonly dialect: Dialect;
  connect(name: string): Promise<Wire>;
  /** CPU time of the server; absent if the system does not report it. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

/** Our gateway in a separate process. */
export type GatewayCompanion = Companion<Served>;

export function startGatewayCompanion(options: GatewayServerOptions): Promise<GatewayCompanion> {
  return startCompanion<Served>('gateway', options);
}

export interface GatewayVenueOptions {
  readonly server?: string;
  readonly dialect?: Dialect;
  /** Default: `main`. */
  readonly space?: string;
}

/** A space of our gateway; tokens equal names. */
export function gatewayVenue(companion: GatewayCompanion, options: GatewayVenueOptions = {}): Venue {
  const { server = 'proffer', dialect = canonical, space = 'main' } = options;
  const path = `/ws?space=${space}&dialect=${encodeURIComponent(dialect.name)}`;
  return {
    server,
    dialect,
    connect: (name) => connectWire({ port: companion.ready.port, path, token: name }),
    usage: () => companion.usage(),
  };
}

/** One of our servers without rules, which accepts everyone. */
export function openVenue(server: string, companion: Companion<{ readonly port: number }>): Venue {
  return {
    server,
    dialect: canonical,
    connect: () => connectWire({ port: companion.ready.port, path: '/' }),
    usage: () => companion.usage(),
  };
}

/** The MEW gateway, where a connection identifies itself in its first message. */
export function mewVenue(peer: MewServer): Venue {
  return {
    server: 'MEW, not durable',
    dialect: mew,
    async connect(name) {
      const wire = await connectWire({ port: peer.port, path: '/' });
      const payload = { participantId: name, space: 'main', token: name };
      const join = JSON.stringify({ protocol: 'mew/v0.4', id: `join-${name}`, kind: 'system/join', payload });
      const welcomed = new Promise<void>((resolve) => {
        wire.onProgress = resolve;
      });
      wire.send(createStock(1, () => join).frames(0, 1));
      await welcomed;
      wire.onProgress = undefined;
      return wire;
    },
    usage: () => peer.usage(),
  };
}

/** CPU time of the server in nanoseconds per operation, while the operations run. */
export async function serverCost<Result>(
  venue: Pick<Venue, 'usage'>,
  operations: number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly nanoseconds: number | undefined }> {
  const before = await venue.usage();
  const result = await work();
  const after = await venue.usage();
  if (before === undefined || after === undefined) return { result, nanoseconds: undefined };
  return { result, nanoseconds: ((after.cpu - before.cpu) * 1000) / operations };
}
