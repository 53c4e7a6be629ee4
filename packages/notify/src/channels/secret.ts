import { readFileSync } from 'node:fs';
import type { Secret } from '@proffer/gateway/config';

/** Reads a secret from the configured place. Throws an error for the operator if it is missing. */
export function readSecret(secret: Secret): string {
  if ('value' in secret) return secret.value;
  if ('env' in secret) {
    const value = process.env[secret.env];
    if (value === undefined || value === '')
      throw new Error(`The environment variable ${secret.env} is not set.`);
    return value;
  }
  return readFileSync(secret.file, 'utf8').trim();
}
