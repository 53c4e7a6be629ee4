import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ENDINGS, type Sink } from '../../delivery/index.js';

/** How long a peer has to answer the close of the connection before it is cut, in milliseconds. */
const CLOSING = 2_000;

/** How many bytes are read after the close: the peer's answer is among them, unless it floods (I-7). */
const LAST_WORDS = 65_536;

/** Below this many unread bytes a slow reader of history gets more. */
const LOW_WATER = 65_536;

/**
 * How many bytes are gathered before they are written: a good reader must not look as if it left them unread.
 */
const MAX_GATHERED = 16_384;

export interface SocketSink extends Sink {
  /** Whether this side has closed the connection: what comes after that does not count. */
  readonly isEnded: boolean;
  /** Batches writes until the caller is done: answers to many messages are one write (I-7). */
  gather(): void;
}

/**
 * Writes frames straight to the socket below a WebSocket. The WebSocket itself writes only whole
 * control frames on its own, and never compresses or fragments here, so the two do not mix.
 */
export function createSocketSink(webSocket: WebSocket, socket: Duplex): SocketSink {
  let isEnded = false;
  let isGathering = false;

  function endGathering(): void {
    isGathering = false;
    socket.uncork();
  }

  /** A peer that continues after being disconnected is no longer read, until it is cut. */
  function endReading(): void {
    let left = LAST_WORDS;
    socket.on('data', (bytes: Buffer) => {
      left -= bytes.length;
      if (left < 0) webSocket.pause();
    });
  }

  return {
    get isEnded() {
      return isEnded;
    },
    write(frames) {
      if (webSocket.readyState === webSocket.OPEN) socket.write(frames);
    },
    gather() {
      if (!isGathering) {
        isGathering = true;
        socket.cork();
        process.nextTick(endGathering);
      } else if (socket.writableLength > MAX_GATHERED) {
        socket.uncork();
        socket.cork();
      }
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
      if (!isEnded) endReading();
      isEnded = true;
      webSocket.close(ENDINGS[why], why);
      // A peer that does not read will not answer the close either.
      setTimeout(() => webSocket.terminate(), CLOSING).unref();
    },
  };
}
