import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@proffer/journal';

/**
 * Codes that work once and for a short time. They are files in the guards' folder, so that every process of
 * its owner can create one, and whichever guard runs the gateway can redeem it. A file is named by the hash
 * of its code: reading the folder is not enough to use one.
 */
export interface OneTimeCodes {
  /** Creates a code of 128 bits. */
  make(now: number): string;
  /** Whether the code was valid. If two redeem it at once, one succeeds. */
  take(code: string, now: number): boolean;
}

/**
 * @param folder - created if missing
 * @param lifetime - of a code, in milliseconds
 */
export function oneTimeCodes(folder: string, lifetime: number): OneTimeCodes {
  const fileOf = (code: string): string => join(folder, createHash('sha256').update(code).digest('hex'));
  return {
    make(now) {
      makeFolder(folder);
      removeOld(folder, now - lifetime);
      const code = randomBytes(16).toString('base64url');
      writeFileSync(fileOf(code), `${now + lifetime}\n`, { mode: 0o600, flag: 'wx' });
      return code;
    },
    take(code, now) {
      const file = fileOf(code);
      try {
        const expiresAt = Number(readFileSync(file, 'utf8'));
        unlinkSync(file);
        return now < expiresAt;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
}

/** Removes expired codes that were never used. */
function removeOld(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? before;
    if (written < before) rmSync(file, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
