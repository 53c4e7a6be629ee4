import { createInputThrottle, type InputThrottle } from '../../input-throttle.js';
import { type GrpcCall, LOW_WATER } from './call.js';

/** Decides when to read from the peer of a call. */
export interface CallThrottle extends InputThrottle {
  /** Something was written: a peer that has not read earlier answers is not read either (I-7). */
  wrote(): void;
}

export function createCallThrottle(call: GrpcCall): CallThrottle {
  let isHeld = false;
  let isUnread = false;
  const adjust = (): void => (isHeld || isUnread ? call.pause() : call.resume());
  const throttle = createInputThrottle({
    get isPaused() {
      return isHeld;
    },
    pause() {
      isHeld = true;
      adjust();
    },
    resume() {
      isHeld = false;
      adjust();
    },
  });
  async function waitUntilRead(): Promise<void> {
    isUnread = true;
    adjust();
    await call.drained();
    isUnread = false;
    adjust();
  }

  return {
    ...throttle,
    wrote() {
      if (!isUnread && call.buffered() > LOW_WATER) void waitUntilRead();
    },
  };
}
