import { canonical } from './dialect.js';
import { createStock, runName } from './stock.js';
import type { Wire } from './wire.js';

export interface PacedLoad {
  readonly sender: Wire;
  readonly reader: Wire;
  /** The name of the reader: to others that want only what concerns them, the messages do not go. */
  readonly to: string;
  readonly seconds: number;
  /** Messages are sent at this rate, whether those before have arrived or not. */
  readonly perSecond: number;
}

const DIGITS = 8;

/** Seconds after the last message is sent that are waited for those that have not arrived. */
const PATIENCE = 20;

export interface PacedTimes {
  /**
   * How long each message took from the sender to the reader, in milliseconds, sorted. One that has not
   * arrived when patience is at an end, or the connection, counts as if it had arrived when patience is.
   */
  readonly times: Float64Array;
  /** How many have not arrived. */
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
    waiting = setTimeout(resolve, (seconds + PATIENCE) * 1000);
  }).finally(() => {
    clearInterval(sending);
    clearTimeout(waiting);
    reader.onMessage = undefined;
  });
  const end = start + (seconds + PATIENCE) * 1000;
  // A message that the timer sent late counts from when it was due.
  const times = arrivals.map((at, number) => (at || end) - (start + (number / perSecond) * 1000));
  return { times: times.sort(), missing: count - arrived };
}
