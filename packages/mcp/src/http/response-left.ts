import type { ServerResponse } from 'node:http';
import { hasLeft } from '../channel/client-stdio.js';

/**
 * Resolves with whether a response has left this process completely, in the sense of {@link hasLeft}; false
 * as soon as its connection breaks before that.
 */
export function responseLeft(response: ServerResponse): Promise<boolean> {
  const { socket } = response;
  if (socket === null || response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    // What was discarded with the connection counts as finished too.
    response.once('finish', () => resolve(!socket.destroyed && hasLeft(socket)));
    response.once('close', () => resolve(false));
  });
}
