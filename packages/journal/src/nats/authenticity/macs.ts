import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.js';

/** Makes and checks message authentication codes (HMAC-SHA256) under the keys that gateways share. */
export interface Macs {
  /** The code of a text, with the id of its key. */
  sign(text: string): string;
  /**
   * Checks a code.
   *
   * @param seq - the place of what it protects, if it has one: a replaced key is accepted only up to some place
   */
  check(text: string, mac: string, seq?: number): MacVerdict;
}

/** What a check found. `unknown key`: nobody here has it; `replaced key`: it is not accepted there any more. */
export type MacVerdict = 'valid' | 'wrong' | 'unknown key' | 'replaced key';

export function createMacs({ current, accepted }: KeyRing): Macs {
  return {
    sign: (text) => `${current.id}:${createHmac('sha256', current.secret).update(text).digest('base64url')}`,
    check(text, mac, seq = Number.POSITIVE_INFINITY) {
      const colon = mac.indexOf(':');
      const key = accepted.get(mac.slice(0, colon));
      if (key === undefined) return 'unknown key';
      const expected = createHmac('sha256', key.secret).update(text).digest();
      const found = Buffer.from(mac.slice(colon + 1), 'base64url');
      if (found.length !== expected.length || !timingSafeEqual(found, expected)) return 'wrong';
      return key.upTo !== undefined && seq > key.upTo ? 'replaced key' : 'valid';
    },
  };
}
