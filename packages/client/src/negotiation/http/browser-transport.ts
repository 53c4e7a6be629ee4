import { openBrowserSocket } from '../../connection/browser-socket.js';
import type { MacpTransport } from '../transport.js';
import { createHttpTransport, type HttpTransportOptions } from './http-transport.js';

/** The transport to a gateway's negotiations: a WebSocket for sending and following, HTTP for the rest. */
export function httpTransport(options: HttpTransportOptions): MacpTransport {
  return createHttpTransport({ live: 'websocket', ...options }, openBrowserSocket);
}
