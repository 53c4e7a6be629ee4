import { createECDH } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The key pair that identifies this gateway to push services (VAPID), as base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Keys that live as long as the process. */
export function makeKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  return {
    publicKey: pair.generateKeys('base64url'),
    // A small number has fewer bytes, but every reader expects 32.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  };
}

/**
 * The keys in a file that only its owner can read; created the first time. Browsers bind a
 * subscription to them, so they stay the same. If two gateways create them at once, both use those of
 * the first. Throws an error for the operator if the file cannot be read or written, or has other
 * content.
 */
export function keysIn(file: string): VapidKeys {
  try {
    return read(file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(makeKeys())}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read(file);
}

function read(file: string): VapidKeys {
  const text = readFileSync(file, 'utf8');
  chmodSync(file, 0o600);
  const { publicKey, privateKey } = JSON.parse(text) as Partial<VapidKeys>;
  if (typeof publicKey !== 'string' || typeof privateKey !== 'string')
    throw new Error(
      `${file} does not hold the keys for Web Push. Remove it, and devices will subscribe again.`,
    );
  return { publicKey, privateKey };
}
