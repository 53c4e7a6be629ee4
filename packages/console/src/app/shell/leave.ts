import { pushedTo } from '../push/pushed.js';
import { unpair } from '../session/device.js';
import { signOut } from '../session/session.js';

/**
 * Signs out at the user's request: this browser then gets no more notifications, not even by push, and a
 * paired one is paired no more.
 */
export function leave(token: string): void {
  const here = pushedTo.get();
  pushedTo.set(undefined);
  // Without an answer, the push service reports before long that the device is gone.
  const ended = here === undefined ? Promise.resolve() : endPushes(token, here).catch(() => {});
  void ended.then(() => unpair(token)).catch(() => {});
  signOut();
}

async function endPushes(token: string, device: string): Promise<void> {
  const { forget, unsubscribe } = await import('../push/devices.js');
  await forget(token, device);
  await unsubscribe();
}
