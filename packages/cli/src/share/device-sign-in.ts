import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import type { Device, Devices } from './devices.js';

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
 * minutes. Neither challenges nor tokens are stored, so strangers cost no memory, and a restart signs nobody
 * out.
 */
export interface DeviceSignIn {
  challenge(now: number): string;
  /** The device that answered a challenge, once and in time; else `undefined`. */
  check(signed: Signed, now: number): Device | undefined;
  /** A token for a device, which works only here. */
  issue(device: Device, now: number): string;
  /** The owner of a token; `undefined` if it expired, or its device was revoked. */
  find(token: string, now: number): Device | undefined;
}

/** @param key - the machine's, as base64url */
export function deviceSignIn(key: string, devices: Pick<Devices, 'find'>): DeviceSignIn {
  const secret = Buffer.from(key, 'base64url');
  /** Text of ours with its time, which nobody else can write. */
  const seal = (purpose: string, text: string): string => {
    const mac = createHmac('sha256', secret).update(`proffer ${purpose} ${text}`).digest('base64url');
    return `${text}.${mac}`;
  };
  /** What was sealed, and until when it is valid; `undefined` if it is not ours, or too old. */
  const unseal = (purpose: string, sealed: string, now: number): string | undefined => {
    const [about = '', until = ''] = sealed.split('.');
    const expected = Buffer.from(seal(purpose, `${about}.${until}`));
    const given = Buffer.from(sealed);
    if (expected.length !== given.length || !timingSafeEqual(expected, given)) return undefined;
    return now < Number(until) ? about : undefined;
  };
  /** Answered challenges, until they expire. Only paired devices can add one. */
  const answered = new Map<string, number>();
  return {
    challenge: (now) =>
      seal('challenge', `${randomBytes(16).toString('base64url')}.${now + CHALLENGE_LIFETIME}`),
    check(signed, now) {
      const { device: name, challenge } = signed;
      for (const [one, until] of answered) if (until <= now) answered.delete(one);
      if (unseal('challenge', challenge, now) === undefined || answered.has(challenge)) return undefined;
      const device = devices.find(name);
      if (device?.key === undefined || !isSigned(device.key, signed)) return undefined;
      answered.set(challenge, now + CHALLENGE_LIFETIME);
      return device;
    },
    issue: ({ name }, now) => seal('device', `${name}.${now + TOKEN_LIFETIME}`),
    find(token, now) {
      const name = unseal('device', token, now);
      return name === undefined ? undefined : devices.find(name);
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
