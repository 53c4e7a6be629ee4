import type { Dialect } from './driver/dialect.js';
import { createStock, runName } from './driver/stock.js';
import type { Wire } from './driver/wire.js';

/** Leaves proposals pending, and resolves when the proposer has received all of them back. */
export async function leavePending(wire: Wire, count: number, dialect: Dialect): Promise<void> {
  const run = runName();
  const stock = createStock(count, (number) => dialect.propose(`W${run}${String(number).padStart(8, '0')}`));
  const sought = `"id":"W${run}`;
  await new Promise<void>((resolve, reject) => {
    wire.lost.catch(reject);
    let seen = 0;
    wire.onMessage = (bytes, start, end) => {
      if (bytes.toString('latin1', start, end).includes(sought) && ++seen === count) resolve();
    };
    wire.send(stock.frames(0, count));
  });
  wire.onMessage = undefined;
}
