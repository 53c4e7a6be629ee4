import { readFile } from 'node:fs/promises';
import { failure, type Result, refuse, success } from '@proffer/core';
import { SIGNATURE_TYPES } from '../notes/signed-note.js';
import { parseSignerKeys, type SignerKey } from './signer-key.js';

/** Reads the keys that a log signs with. They all have the same name, which is the name of the log. */
export async function readSignerKeys(file: string): Promise<Result<readonly SignerKey[]>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    return failure(unusable(file, (error as Error).message));
  }
  const keys = parseSignerKeys(text);
  if (keys === undefined) return failure(unusable(file, 'one of its lines is not a key'));
  if (keys.some(({ verifier }) => verifier.type !== SIGNATURE_TYPES.log))
    return failure(unusable(file, 'one of its keys is that of a witness'));
  const names = new Set(keys.map(({ verifier }) => verifier.name));
  return names.size === 1 ? success(keys) : failure(unusable(file, 'its keys have different names'));
}

function unusable(file: string, why: string) {
  return refuse('unusable_log_key', `The keys of the log in ${file} cannot be used: ${why}.`, { file });
}
