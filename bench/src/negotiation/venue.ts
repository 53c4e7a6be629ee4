import { temporaryFolder } from '../cleanup.js';
import { type Companion, startCompanion } from '../processes/companion.js';
import type { Usage } from '../processes/usage.js';
import { connectGrpc } from './driver/connection.js';
import type { Cast } from './driver/load.js';
import type { BareOptions } from './servers/bare.js';
import type { ReferenceServer } from './servers/reference.js';

/** Its name in the figures. */
export const DURABLE_BOUND = 'bound, durable, no rules';

/** A server that can host negotiations. */
export interface Venue {
  /** Its name in the figures. */
  readonly server: string;
  readonly port: number;
  /** The share of the messages it gets, so that a round ends in time. */
  readonly share: number;
  /** CPU time of the server; absent if the system does not report it. */
  usage(): Promise<Pick<Usage, 'cpu'> | undefined>;
}

/** Our gateway in a separate process. */
export function gatewayVenue(companion: Companion<{ readonly grpcPort: number }>): Venue {
  return {
    server: 'proffer',
    port: companion.ready.grpcPort,
    share: 1,
    usage: () => companion.usage(),
  };
}

/** A gRPC server without logic. */
export function startBare(): Promise<Venue & AsyncDisposable> {
  return startWithoutRules('bare', 'bare, keeps nothing', {});
}

/** Like `startBare`, but messages are on disk before they are answered. */
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

/** The standard gRPC library for Node, without logic. */
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

/** The reference runtime. It gets slower as a session grows, so fewer messages work in its favour. */
export function referenceVenue(reference: ReferenceServer): Venue {
  const { port } = reference;
  return { server: 'macp-runtime', port, share: 0.1, usage: () => reference.usage() };
}

/** Runs an action with a connection per party, and closes them afterwards. */
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
