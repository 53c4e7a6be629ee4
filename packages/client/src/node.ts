/// <reference types="node" preserve="true" />
import { openNodeSocket, trustingSocket } from './connection/node-socket.js';
import type { TrustOptions } from './connection/trust.js';
import { trustingFetch } from './connection/trusting-fetch.js';
import { createHttpTransport, type HttpTransportOptions } from './negotiation/http/http-transport.js';
import type { MacpTransport } from './negotiation/transport.js';

export * from './index.js';
export { type GrpcTransportOptions, grpcTransport } from './negotiation/grpc/grpc-on-demand.js';
export { connect, type TrustOptions } from './participation-node.js';

/** The transport to a gateway's negotiations over HTTP, for networks where gRPC does not get through. */
export function httpTransport({ ca, ...options }: HttpTransportOptions & TrustOptions): MacpTransport {
  const way = { live: 'events', ...options } as const;
  return ca === undefined
    ? createHttpTransport(way, openNodeSocket)
    : createHttpTransport(way, trustingSocket(ca), trustingFetch(ca));
}
