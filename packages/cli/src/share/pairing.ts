import { randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a pairing code works, in milliseconds. */
export const PAIRING_LIFETIME = 120_000;

/** The one pairing code that works at a time. */
export interface PairingCode {
  /** A new code of 128 bits; the one before stops working. */
  renew(now: number): string;
  /** Whether this is the current, unexpired code. It works once. */
  take(code: string, now: number): boolean;
}

export function createPairingCode(): PairingCode {
  let current: { readonly code: Buffer; readonly expiresAt: number } | undefined;
  return {
    renew(now) {
      const code = Buffer.from(randomBytes(16).toString('base64url'));
      current = { code, expiresAt: now + PAIRING_LIFETIME };
      return code.toString();
    },
    take(text, now) {
      const given = Buffer.from(text);
      const isIt = current?.code.length === given.length && timingSafeEqual(current.code, given);
      if (!isIt || current === undefined) return false;
      const { expiresAt } = current;
      current = undefined;
      return now < expiresAt;
    },
  };
}
