import { type ConnectOptions, connectWith } from './connect.js';
import { openNodeSocket } from './connection/node-socket.js';
import type { Participant } from './participant.js';

export * from './index.js';
export { type GrpcTransportOptions, grpcTransport } from './negotiation/grpc/grpc-transport.js';

/** Connects as a participant, with the `ws` package. See {@link connectWith}. */
export function connect(options: ConnectOptions): Promise<Participant> {
  return connectWith(openNodeSocket, options);
}
