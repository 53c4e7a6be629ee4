import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ENDINGS, type Sink } from '../../delivery/index.js';

/** How long a peer has to answer the close of the connection before it is cut, in milliseconds. */
const CLOSING = 2_000;

/** How many bytes are read after the end was said: the peer's answer to it is among them, unless it floods (I-7). */
const LAST_WORDS = 65_536;

/** Below this many unread bytes a slow reader of history is given more. */
const LOW_WATER = 65_536;

/** How many bytes are gathered before they leave: who reads well must not look as if it left them unread. */
const MOST_GATHERED = 16_384;

export interface SocketSink extends Sink {
  /** Whether this side has ended the connection: what comes after that does not count. */
  readonly isEnded: boolean;
  /** What is written from now on leaves together when the caller is done: answers to many messages are one write (I-7). */
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

  /** Whoever was sent away and goes on is not read any more, until it is cut. */
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
      } else if (socket.writableLength > MOST_GATHERED) {
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
