import { temporaryFolder } from '../cleanup.js';
import { type Companion, startCompanion } from '../processes/companion.js';
import type { Usage } from '../processes/usage.js';
import { connectGrpc } from './driver/connection.js';
import type { Cast } from './driver/load.js';
import type { BareOptions } from './servers/bare.js';
import type { ReferenceServer } from './servers/reference.js';

/** As it is named in the figures. */
export const DURABLE_BOUND = 'bound, durable, no rules';

/** A server that negotiations can be held at, whichever it is. */
export interface Venue {
  /** As it is named in the figures. */
  readonly server: string;
  readonly port: number;
  /** Which share of the messages it gets, so that a round ends in time. */
  readonly share: number;
  /** Processor time of the server; absent if the system does not tell. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

/** Our gateway in a process of its own. */
export function gatewayVenue(companion: Companion<{ readonly grpcPort: number }>): Venue {
  return {
    server: 'proffer',
    port: companion.ready.grpcPort,
    share: 1,
    usage: () => companion.usage(),
  };
}

/** A server of the same kind that does nothing. */
export function startBare(): Promise<Venue & AsyncDisposable> {
  return startWithoutRules('bare', 'bare, keeps nothing', {});
}

/** The same, but what is sent to it is on the disk before it answers. */
export async function startDurableBound(): Promise<Venue & AsyncDisposable> {
  const folder = await temporaryFolder();
  const venue = await startWithoutRules('bare', DURABLE_BOUND, { folder: folder.path });
  return {
    ...venue,
    async [Symbol.asyncDispose]() {
      await venue[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The usual gRPC library of Node, which does nothing either. */
export function startGrpcJs(): Promise<Venue & AsyncDisposable> {
  return startWithoutRules('grpcJs', 'grpc-js, keeps nothing', {});
}

async function startWithoutRules(
  role: 'bare' | 'grpcJs',
  server: string,
  options: BareOptions,
): Promise<Venue & AsyncDisposable> {
  const companion = await startCompanion<{ readonly port: number }>(role, options);
  return {
    server,
    port: companion.ready.port,
    share: 1,
    usage: () => companion.usage(),
    [Symbol.asyncDispose]: () => companion.end(),
  };
}

/** The reference runtime. It takes longer for a message the more there are in a session: fewer are to its advantage. */
export function referenceVenue(reference: ReferenceServer): Venue {
  const { port } = reference;
  return { server: 'macp-runtime', port, share: 0.1, usage: () => reference.usage() };
}

/** Does something with a connection for each party, and cuts them. */
export async function withCast<Result>(
  { port }: Venue,
  work: (cast: Cast) => Promise<Result>,
): Promise<Result> {
  const [buyer, seller] = await Promise.all([connectGrpc(port, 'buyer'), connectGrpc(port, 'seller')]);
  try {
    return await work({ buyer, seller });
  } finally {
    buyer.close();
    seller.close();
  }
}
