/// <reference types="node" preserve="true" />
import { type ConnectOptions, connectWith } from './connect.js';
import { openNodeSocket } from './connection/node-socket.js';
import { createHttpTransport, type HttpTransportOptions } from './negotiation/http/http-transport.js';
import type { MacpTransport } from './negotiation/transport.js';
import type { Participant } from './participant.js';

export * from './index.js';
export { type GrpcTransportOptions, grpcTransport } from './negotiation/grpc/grpc-on-demand.js';

/** Connects as a participant, with the `ws` package. See {@link connectWith}. */
export function connect(options: ConnectOptions): Promise<Participant> {
  return connectWith(openNodeSocket, options);
}

/** The way to a gateway's negotiations over HTTP, for where gRPC does not get through. */
export function httpTransport(options: HttpTransportOptions): MacpTransport {
  return createHttpTransport({ live: 'events', ...options }, openNodeSocket);
}
