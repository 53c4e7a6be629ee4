import type { Duplex } from 'node:stream';
import { createFrameReader, type FrameReaderOptions } from './frame-reader.js';

/** A listener for the bytes of a socket. */
type Listener = (this: Duplex, bytes: Buffer) => void;

/**
 * Puts a frame reader in front of the WebSocket library on a socket from which nothing has been read yet. The library's
 * own listener gets what the reader leaves to it, and its place back when the reader hands over.
 */
export function readAhead(
  socket: Duplex,
  library: Listener,
  options: Pick<FrameReaderOptions, 'maxPayload' | 'onText'>,
): void {
  const reader = createFrameReader({
    ...options,
    pass: (frame) => library.call(socket, frame),
    handOver(bytes) {
      socket.off('data', read);
      socket.off('close', release);
      socket.on('data', library);
      if (bytes.length > 0) library.call(socket, bytes);
    },
  });
  const read = (bytes: Buffer): void => reader.read(bytes);
  // When the socket closes, the library reads what is left in it, which continues where the reader stopped.
  const release = (): void => reader.release();
  socket.off('data', library);
  socket.on('data', read);
  socket.prependListener('close', release);
}

/**
 * The library's listener: the one a socket has now besides those it had before. `undefined` if unclear, as
 * with another version of the library: then the library reads everything itself, only slower.
 */
export function addedListener(socket: Duplex, before: readonly unknown[]): Listener | undefined {
  const added = socket.listeners('data').filter((listener) => !before.includes(listener));
  return added.length === 1 ? (added[0] as Listener) : undefined;
}
