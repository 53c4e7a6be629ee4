import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ENDINGS, type Sink } from '../delivery/sink.js';

/** How long a peer has to answer the close of the connection before it is cut, in milliseconds. */
const CLOSING = 2_000;

/** Below this many unread bytes a slow reader of history is given more. */
const LOW_WATER = 65_536;

/**
 * Writes frames straight to the socket below a WebSocket. The WebSocket itself writes only whole
 * control frames on its own, and never compresses or fragments here, so the two do not mix.
 */
export function createSocketSink(webSocket: WebSocket, socket: Duplex): Sink {
  return {
    write(frames) {
      if (webSocket.readyState === webSocket.OPEN) socket.write(frames);
    },
    buffered: () => socket.writableLength,
    drained() {
      if (socket.writableLength <= LOW_WATER || socket.destroyed) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          socket.off('drain', done);
          socket.off('close', done);
          resolve();
        };
        socket.on('drain', done);
        socket.on('close', done);
      });
    },
    end(why) {
      webSocket.close(ENDINGS[why], why);
      // A peer that does not read will not answer the close either.
      setTimeout(() => webSocket.terminate(), CLOSING).unref();
    },
  };
}
