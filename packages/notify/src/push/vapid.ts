import { createECDH } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The pair of keys by which push services know this gateway (VAPID), as base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Keys that are forgotten with the process. */
export function makeKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  return {
    publicKey: pair.generateKeys('base64url'),
    // A small number has fewer bytes, and every reader wants 32.
    privateKey: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
  };
}

/**
 * The keys in a file that only its owner reads; made the first time. Browsers bind a subscription to them, so they stay
 * the same. Of two gateways that make them at once, one is first, for both. Throws an error for the operator if the
 * file cannot be read or written, or is something else.
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
