import { type ConnectOptions, connectWith } from './connect.js';
import { openBrowserSocket } from './connection/browser-socket.js';
import type { Participant } from './participant.js';

export * from './index.js';

/** Connects as a participant, with the host's WebSocket. See {@link connectWith}. */
export function connect(options: ConnectOptions): Promise<Participant> {
  return connectWith(openBrowserSocket, options);
}
