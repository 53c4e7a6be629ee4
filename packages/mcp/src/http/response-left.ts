import type { ServerResponse } from 'node:http';
import { hasLeft } from '../channel/stdio-front.js';

/**
 * Settles with whether a response has left this process to its end, as {@link hasLeft} means it; false as soon as
 * its connection breaks before that.
 */
export function responseLeft(response: ServerResponse): Promise<boolean> {
  const { socket } = response;
  if (socket === null || response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    // What was given up with the connection is called finished too.
    response.once('finish', () => resolve(!socket.destroyed && hasLeft(socket)));
    response.once('close', () => resolve(false));
  });
}
