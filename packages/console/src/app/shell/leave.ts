import { pushedTo } from '../push/pushed.js';
import { signOut } from '../session/session.js';

/** Signs out at the user's request: this browser then gets no more notifications, not even by push. */
export function leave(token: string): void {
  const here = pushedTo.get();
  pushedTo.set(undefined);
  // Without an answer, the push service reports before long that the device is gone.
  if (here !== undefined) endPushes(token, here).catch(() => {});
  signOut();
}

async function endPushes(token: string, device: string): Promise<void> {
  const { forget, unsubscribe } = await import('../push/devices.js');
  await forget(token, device);
  await unsubscribe();
}
