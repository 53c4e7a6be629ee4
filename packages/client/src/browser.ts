import { type ConnectOptions, connectWith } from './connect.js';
import { openBrowserSocket } from './connection/browser-socket.js';
import type { Participant } from './participant.js';

export * from './index.js';
// In a file of its own: a page that only takes part in a space loads none of it.
export { httpTransport } from './negotiation/http/browser-transport.js';

/** Connects as a participant, with the host's WebSocket. See {@link connectWith}. */
export function connect(options: ConnectOptions): Promise<Participant> {
  return connectWith(openBrowserSocket, options);
}
