import { textFrame } from '../driver/frame.js';
import { connectWire, type Wire } from '../driver/wire.js';
import type { Target } from './attack.js';
import { keepReconnecting } from './keep-reconnecting.js';

/** Connections opened at a time. */
const AT_ONCE = 100;

/** How often a reader that reads nothing checks its connection, in milliseconds. */
const CHECK_INTERVAL = 250;

/**
 * Reads nothing from its connection; when disconnected, reconnects at once and asks for the whole history.
 */
export async function readNothing(target: Target): Promise<number> {
  await readWith(target, () => undefined);
  return 1;
}

/** Like `readNothing`, but reads one byte per second. */
export async function readByteASecond(target: Target): Promise<number> {
  await readWith(target, (wire) => setInterval(() => wire.socket.read(1), 1000));
  return 1;
}

async function readWith({ port }: Target, read: (wire: Wire) => NodeJS.Timeout | undefined): Promise<void> {
  await keepReconnecting({ port, path: '/ws?space=main&after=0', token: 'reader' }, (wire) => {
    wire.socket.removeAllListeners('data').pause();
    const reading = read(wire);
    // A client that reads nothing notices a closed connection only when it writes.
    const looking = setInterval(() => wire.send(textFrame('', 'to server')), CHECK_INTERVAL);
    wire.socket.once('close', () => {
      clearInterval(reading);
      clearInterval(looking);
    });
  });
}

/** Opens a number of idle connections; stops when the system has no more. */
export async function openIdle({ port, connections }: Target): Promise<number> {
  let open = 0;
  while (open < connections) {
    const some = Math.min(AT_ONCE, connections - open);
    const wires = await Promise.allSettled(
      Array.from({ length: some }, () =>
        connectWire({ port, path: '/ws?space=main&routing=directed', token: 'idle' }),
      ),
    );
    const made = wires.filter(({ status }) => status === 'fulfilled').length;
    open += made;
    if (made < some) break;
  }
  return open;
}
