/// <reference types="node" preserve="true" />
import { type ConnectOptions, connectWith } from './connect.js';
import { openNodeSocket, trustingSocket } from './connection/node-socket.js';
import type { TrustOptions } from './connection/trust.js';
import { trustingFetch } from './connection/trusting-fetch.js';
import { createHttpTransport, type HttpTransportOptions } from './negotiation/http/http-transport.js';
import type { MacpTransport } from './negotiation/transport.js';
import type { Participant } from './participant.js';

export type { TrustOptions } from './connection/trust.js';
export * from './index.js';
export { type GrpcTransportOptions, grpcTransport } from './negotiation/grpc/grpc-on-demand.js';

/** Connects as a participant, with the `ws` package. See {@link connectWith}. */
export function connect({ ca, ...options }: ConnectOptions & TrustOptions): Promise<Participant> {
  return ca === undefined
    ? connectWith(openNodeSocket, options)
    : connectWith(trustingSocket(ca), options, trustingFetch(ca));
}

/** The way to a gateway's negotiations over HTTP, for where gRPC does not get through. */
export function httpTransport({ ca, ...options }: HttpTransportOptions & TrustOptions): MacpTransport {
  const way = { live: 'events', ...options } as const;
  return ca === undefined
    ? createHttpTransport(way, openNodeSocket)
    : createHttpTransport(way, trustingSocket(ca), trustingFetch(ca));
}
