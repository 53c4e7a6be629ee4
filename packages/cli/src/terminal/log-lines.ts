import type { DestinationStream } from 'pino';

/**
 * Where log lines go: the standard error of this process. Not pino's own destination, which never stops trying when
 * whoever read it is gone, as with a terminal that was closed, and then keeps the process from ending.
 */
export function logLines(): DestinationStream {
  return { write: (line) => void process.stderr.write(line) };
}
