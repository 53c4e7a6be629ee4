import { openNodeSocket, trustingSocket } from '../connection/node-socket.js';
import type { TrustOptions } from '../connection/trust.js';
import { trustingFetch } from '../connection/trusting-fetch.js';
import { createHttpTransport, type HttpTransportOptions } from './http/http-transport.js';
import type { MacpTransport } from './transport.js';

export { type GrpcTransportOptions, grpcTransport } from './grpc/grpc-on-demand.js';
export * from './index.js';

/** The transport to a gateway's negotiations over HTTP, for networks where gRPC does not get through. */
export function httpTransport({ ca, ...options }: HttpTransportOptions & TrustOptions): MacpTransport {
  const way = { live: 'events', ...options } as const;
  return ca === undefined
    ? createHttpTransport(way, openNodeSocket)
    : createHttpTransport(way, trustingSocket(ca), trustingFetch(ca));
}
