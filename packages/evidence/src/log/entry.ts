import { ENTRY_BYTES, HASH_BYTES, seqAt } from '@proffer/journal/tree';
import { fromHex, joined, toHex } from '../notes/bytes.js';

/** What the tree has for a record: its place in the journal, and its hash. */
export interface LogEntry {
  readonly seq: number;
  /** SHA-256 of the record, in hexadecimal. It covers everything but the place. */
  readonly hash: string;
}

export function encodeEntry({ seq, hash }: LogEntry): Uint8Array {
  const bytes = fromHex(hash);
  if (bytes?.length !== HASH_BYTES) throw new Error(`The record ${seq} has no hash.`);
  const entry = new Uint8Array(ENTRY_BYTES);
  // Eight bytes, big endian. Numbers are exact up to 2^53.
  for (let at = 7, rest = seq; rest > 0; at--, rest = Math.floor(rest / 256)) entry[at] = rest % 256;
  entry.set(bytes, ENTRY_BYTES - HASH_BYTES);
  return entry;
}

export function decodeEntry(bytes: Uint8Array): LogEntry {
  return { seq: seqAt(bytes, 0), hash: toHex(bytes.subarray(ENTRY_BYTES - HASH_BYTES, ENTRY_BYTES)) };
}

/** Entries as tlog-tiles serves them: each with its length in front. */
export function entryBundle(entries: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES)
    parts.push(Uint8Array.of(0, ENTRY_BYTES), entries.subarray(at, at + ENTRY_BYTES));
  return joined(...parts);
}
