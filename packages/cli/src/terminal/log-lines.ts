import type { DestinationStream } from 'pino';

/**
 * Where log lines go: stderr of this process. Not pino's own destination, which never stops retrying when its
 * reader is gone, such as a closed terminal, and then keeps the process alive.
 */
export function logLines(): DestinationStream {
  return { write: (line) => void process.stderr.write(line) };
}
