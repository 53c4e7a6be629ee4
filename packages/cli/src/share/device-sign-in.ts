import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import type { Devices, PairedDevice } from './devices.js';

/** How long a device may use a token before it signs again, in milliseconds. */
export const TOKEN_LIFETIME = 600_000;
/** How long a challenge can be answered, in milliseconds. */
const CHALLENGE_LIFETIME = 60_000;

/** What a device sends to sign in. */
export interface Signed {
  readonly device: string;
  readonly challenge: string;
  /** ECDSA with SHA-256 over {@link signedText}, as base64url of both numbers (IEEE P1363). */
  readonly signature: string;
}

/**
 * Signs devices in: a browser proves that it has the private key of its device, and gets a token for ten
 * minutes. Neither challenges nor tokens are stored, so strangers cost no memory. Tokens outlive a restart, so it
 * signs nobody out. A challenge can be answered only in the process that set it, which knows whether it was answered.
 */
export interface DeviceSignIn {
  challenge(now: number): string;
  /** Whether a challenge was set here, and can still be answered. */
  isOpen(challenge: string, now: number): boolean;
  /** The device that answered a challenge, once and in time; else `undefined`. */
  check(signed: Signed, now: number): PairedDevice | undefined;
  /** A token for a device, which works only here. */
  issue(device: PairedDevice, now: number): string;
  /** The owner of a token; `undefined` if it expired, or its device was revoked. */
  find(token: string, now: number): PairedDevice | undefined;
}

/** @param key - the machine's, as base64url */
export function deviceSignIn(key: string, devices: Pick<Devices, 'find'>): DeviceSignIn {
  const challenges = sealWith(randomBytes(32), 'challenge');
  const tokens = sealWith(Buffer.from(key, 'base64url'), 'device');
  /** Answered challenges, until they expire. Only paired devices can add one. */
  const answered = new Map<string, number>();
  const isOpen = (challenge: string, now: number): boolean => {
    for (const [one, until] of answered) if (until <= now) answered.delete(one);
    return challenges.open(challenge, now) !== undefined && !answered.has(challenge);
  };
  return {
    isOpen,
    challenge: (now) =>
      challenges.seal(`${randomBytes(16).toString('base64url')}.${now + CHALLENGE_LIFETIME}`),
    check(signed, now) {
      const { device: name, challenge } = signed;
      if (!isOpen(challenge, now)) return undefined;
      const device = devices.find(name);
      if (device?.key === undefined || !isSigned(device.key, signed)) return undefined;
      answered.set(challenge, now + CHALLENGE_LIFETIME);
      return device;
    },
    issue: ({ name }, now) => tokens.seal(`${name}.${now + TOKEN_LIFETIME}`),
    find(token, now) {
      const name = tokens.open(token, now);
      return name === undefined ? undefined : devices.find(name);
    },
  };
}

/** Seals text with its time, so that nobody without the key can write one like it for this purpose. */
function sealWith(key: Buffer, purpose: string) {
  const seal = (text: string): string => {
    const mac = createHmac('sha256', key).update(`proffer ${purpose} ${text}`).digest('base64url');
    return `${text}.${mac}`;
  };
  return {
    seal,
    /** The text that was sealed; `undefined` if it was not sealed with this key, or is too old. */
    open(sealed: string, now: number): string | undefined {
      const [text = '', until = ''] = sealed.split('.');
      const expected = Buffer.from(seal(`${text}.${until}`));
      const given = Buffer.from(sealed);
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
      return now < Number(until) ? text : undefined;
    },
  };
}

/** What a browser signs. It names its purpose, so that the signature is good for nothing else. */
function signedText({ device, challenge }: Signed): string {
  return `proffer device sign-in\n${device}\n${challenge}`;
}

function isSigned(key: string, signed: Signed): boolean {
  try {
    const publicKey = { ...derOf(key), dsaEncoding: 'ieee-p1363' as const };
    return verify(
      'sha256',
      Buffer.from(signedText(signed)),
      publicKey,
      Buffer.from(signed.signature, 'base64url'),
    );
  } catch {
    return false;
  }
}

/** Whether this is the public key of a browser: a point on the curve P-256. */
export function isDeviceKey(key: string): boolean {
  try {
    return createPublicKey(derOf(key)).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}

function derOf(key: string) {
  return { key: Buffer.from(key, 'base64url'), format: 'der' as const, type: 'spki' as const };
}
