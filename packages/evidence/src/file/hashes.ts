import { fromBase64 } from '../notes/bytes.js';

/** Hashes in base64; `undefined` if one is not. */
export function hashesInBase64(texts: readonly string[]): readonly Uint8Array[] | undefined {
  const hashes = texts.map(fromBase64);
  return hashes.every((hash) => hash?.length === 32) ? (hashes as readonly Uint8Array[]) : undefined;
}
