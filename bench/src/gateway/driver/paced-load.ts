import { canonical } from './dialect.js';
import { createStock, runName } from './stock.js';
import type { Wire } from './wire.js';

export interface PacedLoad {
  readonly sender: Wire;
  readonly reader: Wire;
  /** The name of the reader: the messages are not delivered to other connections with directed routing. */
  readonly to: string;
  readonly seconds: number;
  /** Messages are sent at this rate, whether or not earlier ones have arrived. */
  readonly perSecond: number;
}

const DIGITS = 8;

/** How long to wait for late messages after the last one is sent, in seconds. */
const TIMEOUT = 20;

export interface PacedTimes {
  /**
   * Milliseconds from sender to reader per message, sorted. A message that does not arrive before the
   * timeout, or before the connection closes, counts as arriving at the timeout.
   */
  readonly times: Float64Array;
  /** Messages that did not arrive. */
  readonly missing: number;
}

export async function pace(load: PacedLoad): Promise<PacedTimes> {
  const { sender, reader, to, seconds, perSecond } = load;
  const count = Math.ceil(seconds * perSecond);
  const run = runName();
  const stock = createStock(count, (number) =>
    canonical.chat(`V${run}${String(number).padStart(DIGITS, '0')}`, to),
  );
  const sought = `"id":"V${run}`;
  const arrivals = new Float64Array(count);
  const start = performance.now();
  let sending: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  let arrived = 0;
  await new Promise<void>((resolve) => {
    for (const { lost } of [sender, reader]) lost.catch(() => resolve());
    let sent = 0;
    reader.onMessage = (bytes, from, end) => {
      const message = bytes.toString('latin1', from, end);
      const found = message.indexOf(sought);
      if (found < 0) return;
      const digits = found + sought.length;
      arrivals[Number(message.slice(digits, digits + DIGITS))] = performance.now();
      if (++arrived === count) resolve();
    };
    sending = setInterval(() => {
      const due = Math.min(count, Math.ceil(((performance.now() - start) / 1000) * perSecond));
      if (due > sent) sender.send(stock.frames(sent, due));
      sent = Math.max(sent, due);
    }, 1);
    waiting = setTimeout(resolve, (seconds + TIMEOUT) * 1000);
  }).finally(() => {
    clearInterval(sending);
    clearTimeout(waiting);
    reader.onMessage = undefined;
  });
  const end = start + (seconds + TIMEOUT) * 1000;
  // A message that the timer sent late counts from its due time.
  const times = arrivals.map((at, number) => (at || end) - (start + (number / perSecond) * 1000));
  return { times: times.sort(), missing: count - arrived };
}
