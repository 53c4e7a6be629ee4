import type { Dialect } from './dialect.js';
import { createStock, runName } from './stock.js';
import { receivedByAll, type Wire } from './wire.js';

/** Messages the sender has in flight. */
const IN_FLIGHT = 256;

/** Sends one message and waits until everyone has received it, so nothing sent before is still in flight. */
export async function settle(wires: readonly Wire[], dialect: Dialect): Promise<void> {
  const id = `settle-${runName()}`;
  const seen = receivedByAll(wires, id);
  wires[0]?.send(createStock(1, () => dialect.chat(id)).frames(0, 1));
  await seen;
}

/**
 * The first connection sends messages, and all connections, including the sender, receive each. Returns the
 * seconds until the last delivery.
 */
export async function fanOut(wires: readonly Wire[], count: number, dialect: Dialect): Promise<number> {
  const run = runName();
  const stock = createStock(count, (number) => dialect.chat(`C${run}${String(number).padStart(8, '0')}`));
  await settle(wires, dialect);
  const [sender] = wires;
  if (sender === undefined) throw new Error('nobody is connected');
  const before = wires.map(({ received }) => received);
  const start = performance.now();
  await new Promise<void>((resolve, reject) => {
    for (const { lost } of wires) lost.catch(reject);
    let missing = wires.length;
    let sent = 0;
    for (const [index, wire] of wires.entries()) {
      wire.onProgress = () => {
        const got = wire.received - (before[index] ?? 0);
        if (wire === sender) refill(got);
        if (got < count) return;
        wire.onProgress = undefined;
        if (--missing === 0) resolve();
      };
    }
    function refill(got: number): void {
      const to = Math.min(count, got + IN_FLIGHT);
      if (to > sent) sender?.send(stock.frames(sent, to));
      sent = Math.max(sent, to);
    }
    refill(0);
  });
  return (performance.now() - start) / 1000;
}
