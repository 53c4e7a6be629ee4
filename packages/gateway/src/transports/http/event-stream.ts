import type { ServerResponse } from 'node:http';
import type { ConnectionEnding, Sink } from '../../delivery/index.js';

/** How often a comment is sent on a quiet stream, so that no proxy considers it dead. */
const KEEP_ALIVE = 15_000;

const LOW_WATER = 65_536;

/** How long a peer has to read what it was sent before the end, in milliseconds. */
const CLOSING = 2_000;

/** Says why a stream ends. */
const sayWhy = (why: ConnectionEnding): string => `event: end\ndata: ${why}\n\n`;

/**
 * Turns a response into a stream of server-sent events. The browser reconnects on its own, with `Last-Event-ID`.
 *
 * @param farewell - the last event, when the gateway ends the stream. Default: `end`, with the reason
 */
export function createEventStream(response: ServerResponse, farewell = sayWhy): Sink {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  response.write('retry: 1000\n\n');
  const timer = setInterval(() => response.write(': still here\n\n'), KEEP_ALIVE);
  response.once('close', () => clearInterval(timer));
  // Without a listener, an error of one peer would end the process.
  response.on('error', () => {});
  return {
    write(frames) {
      if (!response.writableEnded) response.write(frames);
    },
    buffered: () => response.writableLength,
    drained() {
      if (response.writableLength <= LOW_WATER || response.destroyed) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.on('drain', done);
        response.on('close', done);
      });
    },
    end(why) {
      clearInterval(timer);
      if (response.writableEnded) return;
      response.end(farewell(why));
      // A peer that does not read would keep everything it left unread in memory.
      setTimeout(() => response.destroy(), CLOSING).unref();
    },
  };
}
