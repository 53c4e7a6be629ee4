import { dirname, join } from 'node:path';
import type { SigningKey } from '@proffer/client/participation';
import { isJsonObject, type JsonObject, objectOf } from '@proffer/core/json';
import type { Environment } from '../terminal/shell.js';
import { credentialsFile, readOwnFile, writeOwnFile } from './credentials.js';

/** The file with the private keys that this user signs decisions with (O-49), next to the tokens. */
export function signingKeysFile(env: Environment): string {
  return join(dirname(credentialsFile(env)), 'signing-keys.json');
}

/** The private key with an id; `undefined` if it is not on this machine. */
export function findSigningKey(file: string, id: string): SigningKey | undefined {
  const key = keysIn(file)[id];
  return isJsonObject(key) ? (key as unknown as SigningKey) : undefined;
}

export function keepSigningKey(file: string, key: SigningKey): void {
  writeOwnFile(file, { version: 1, keys: { ...keysIn(file), [key.x]: key } });
}

export function dropSigningKey(file: string, id: string): void {
  const { [id]: _dropped, ...keys } = keysIn(file);
  writeOwnFile(file, { version: 1, keys });
}

function keysIn(file: string): JsonObject {
  return objectOf(readOwnFile(file)?.['keys']);
}
