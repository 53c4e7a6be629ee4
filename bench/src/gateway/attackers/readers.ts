import { textFrame } from '../driver/frame.js';
import { connectWire, type Wire } from '../driver/wire.js';
import type { Target } from './attack.js';
import { comeBackAlways } from './come-back.js';

/** Connections that are made at one time. */
const AT_ONCE = 100;

/** How often a reader that does not read looks whether it is still connected, in milliseconds. */
const LOOK = 250;

/** Takes nothing off its connection; sent away, it comes back at once and asks for all of history. */
export async function readNothing(target: Target): Promise<number> {
  await readWith(target, () => undefined);
  return 1;
}

/** The same, except that it takes a byte each second. */
export async function readByteASecond(target: Target): Promise<number> {
  await readWith(target, (wire) => setInterval(() => wire.socket.read(1), 1000));
  return 1;
}

async function readWith({ port }: Target, read: (wire: Wire) => NodeJS.Timeout | undefined): Promise<void> {
  await comeBackAlways({ port, path: '/ws?space=main&after=0', token: 'reader' }, (wire) => {
    wire.socket.removeAllListeners('data').pause();
    const reading = read(wire);
    // Who reads nothing learns only by writing that it is no longer connected.
    const looking = setInterval(() => wire.send(textFrame('', 'to server')), LOOK);
    wire.socket.once('close', () => {
      clearInterval(reading);
      clearInterval(looking);
    });
  });
}

/** Connects so often and then does nothing; stops where the system has no more connections to give. */
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
