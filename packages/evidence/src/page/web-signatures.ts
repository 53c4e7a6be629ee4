import { type JsonObject, textOf } from '@proffer/core/json';
import type { VerifyEd25519 } from '../notes/checkpoint.js';

/** Checks a signature with the browser's Ed25519. */
export const verifyEd25519: VerifyEd25519 = async (publicKey, message, signature) => {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', copied(publicKey), 'Ed25519', false, ['verify']);
  return await subtle.verify('Ed25519', key, copied(signature), copied(message));
};

/** Checks a signature of a participant's key: Ed25519, or what passkeys have, ECDSA and RSA over SHA-256. */
export async function verifyJwk(
  jwk: JsonObject,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const how = ALGORITHMS[textOf(jwk['kty'])];
  if (how === undefined) return false;
  const { subtle } = globalThis.crypto;
  try {
    const key = await subtle.importKey('jwk', jwk, how, false, ['verify']);
    const plain = how.name === 'ECDSA' ? fromDer(signature) : signature;
    return await subtle.verify(how, key, copied(plain), copied(message));
  } catch {
    // The key in a record may be none.
    return false;
  }
}

const ALGORITHMS: Readonly<
  Record<string, { readonly name: string; readonly hash?: string; readonly namedCurve?: string }>
> = {
  OKP: { name: 'Ed25519' },
  EC: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
};

/** The two numbers of an ECDSA signature, of 32 bytes each: authenticators write them as ASN.1 (DER). */
function fromDer(der: Uint8Array): Uint8Array {
  const numbers = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const number = der.subarray(at + 2, at + 2 + length);
    // A zero in front says that the number is not negative.
    const digits = number.subarray(Math.max(0, number.length - 32));
    numbers.set(digits, end - digits.length);
    at += 2 + length;
  }
  return numbers;
}

/** Whether this browser can check Ed25519 signatures: those of before 2025 cannot, nor any in an insecure context. */
export async function checkingSignatures(): Promise<boolean> {
  try {
    await globalThis.crypto.subtle.importKey('raw', new Uint8Array(32), 'Ed25519', false, ['verify']);
    return true;
  } catch {
    return false;
  }
}

/** Web APIs take no bytes that other threads could share. */
function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}
