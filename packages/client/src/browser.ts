import { type ConnectOptions, connectWith } from './connect.js';
import { openBrowserSocket } from './connection/browser-socket.js';
import { createHttpTransport, type HttpTransportOptions } from './negotiation/http/http-transport.js';
import type { MacpTransport } from './negotiation/transport.js';
import type { Participant } from './participant.js';

export * from './index.js';

/** Connects as a participant, with the host's WebSocket. See {@link connectWith}. */
export function connect(options: ConnectOptions): Promise<Participant> {
  return connectWith(openBrowserSocket, options);
}

/** The transport to a gateway's negotiations: a WebSocket for sending and following, HTTP for the rest. */
export function httpTransport(options: HttpTransportOptions): MacpTransport {
  return createHttpTransport({ live: 'websocket', ...options }, openBrowserSocket);
}
