import { hash } from 'node:crypto';
import type { StoredRecord } from '../stored-record.js';

/** What the journal remembers about a stream, for ever. */
export interface StreamEntry {
  /** The version of its last record. */
  readonly version: number;
  /** The hash of its last record, in hex. */
  readonly hash: string;
  /** The `seq` of its last record. */
  readonly seq: number;
  /** Records up to this version are removed. */
  readonly removed: number;
}

/** What a record says about its stream. */
export function headOf({ version, hash, seq }: StoredRecord): StreamEntry {
  return { version, hash, seq, removed: 0 };
}

/** The size of an entry in a file, in bytes. */
export const ENTRY_BYTES = 64;

/** What is where in an entry: first the key. */
const KEY_WORDS = 4;
const HASH = 16;
const VERSION = 48;
const REMOVED = 52;
const SEQ = 56;

const SHARDS = 256;

/** How many keys of streams asked for by name are kept. */
const MAX_KEYS = 1024;

/**
 * The heads of all streams that ever existed, in 64 bytes each whatever their names, outside the
 * garbage-collected heap. Streams are identified by 128 bits of the SHA-256 of their names: clients
 * choose the names, so no weaker hash will do. Split into shards, so that growing never stops the
 * world.
 */
export class StreamTable {
  readonly #shards = Array.from({ length: SHARDS }, () => new Shard());
  // Whoever asks for a stream by name often asks again a moment later.
  readonly #keys = new Map<string, StreamKey>();

  /** How many streams there are. */
  get size(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.size, 0);
  }

  /** How many records of all streams are removed. */
  get removed(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.removed, 0);
  }

  get(stream: string): StreamEntry | undefined {
    return this.getBy(this.#keyOf(stream));
  }

  /** {@link get} for a caller that keeps the key. */
  getBy(key: StreamKey): StreamEntry | undefined {
    return this.#shardOf(key).get(key);
  }

  /** Keeps the later head and the later removal of the known and the new ones. */
  merge(stream: string, entry: StreamEntry): void {
    this.mergeBy(this.#keyOf(stream), entry);
  }

  /** {@link merge} for a caller that keeps the key. */
  mergeBy(key: StreamKey, entry: StreamEntry): void {
    this.#shardOf(key).merge(key, entry);
  }

  /** Writes what is known about a stream, in {@link ENTRY_BYTES} bytes. */
  encode(key: StreamKey, into: Buffer, offset: number): void {
    writeKey(key, into, offset);
    this.#shardOf(key).encode(key, into, offset);
  }

  /** Adds what {@link encode} wrote. */
  mergeEncoded(bytes: Buffer): void {
    for (let offset = 0; offset + ENTRY_BYTES <= bytes.length; offset += ENTRY_BYTES) {
      this.mergeBy(encodedKey(bytes, offset), entryAt(bytes, offset));
    }
  }

  #keyOf(stream: string): StreamKey {
    const known = this.#keys.get(stream);
    if (known !== undefined) return known;
    if (this.#keys.size === MAX_KEYS) this.#keys.clear();
    const key = keyOf(stream);
    this.#keys.set(stream, key);
    return key;
  }

  #shardOf(key: StreamKey): Shard {
    return this.#shards[key.charCodeAt(3) % SHARDS] as Shard;
  }
}

/** Identifies a stream in the table: the SHA-256 of its name, a byte in each character. Only the first 128 bits count. */
export type StreamKey = string & { readonly of: 'stream' };

export function keyOf(stream: string): StreamKey {
  return hash('sha256', stream, 'binary') as StreamKey;
}

function wordOf(key: StreamKey, word: number): number {
  const at = word * 4;
  return (
    (key.charCodeAt(at) << 24) |
    (key.charCodeAt(at + 1) << 16) |
    (key.charCodeAt(at + 2) << 8) |
    key.charCodeAt(at + 3)
  );
}

/** The key in an entry: the words are the other way round there. */
function encodedKey(bytes: Buffer, offset: number): StreamKey {
  let key = '';
  for (let word = 0; word < KEY_WORDS; word++) {
    const at = offset + word * 4;
    key += String.fromCharCode(
      bytes[at + 3] as number,
      bytes[at + 2] as number,
      bytes[at + 1] as number,
      bytes[at] as number,
    );
  }
  return key as StreamKey;
}

/** Open addressing with linear probing; a slot with version 0 is free. */
class Shard {
  size = 0;
  /**
   * As in a file: with the parts of an entry side by side, finding and changing one waits for memory once, and with an array
   * for each part as often as it has parts.
   */
  #entries = Buffer.alloc(16 * ENTRY_BYTES);

  get removed(): number {
    let sum = 0;
    for (let at = 0; at < this.#entries.length; at += ENTRY_BYTES)
      sum += this.#entries.readUInt32LE(at + REMOVED);
    return sum;
  }

  get(key: StreamKey): StreamEntry | undefined {
    const at = this.#find(key);
    return this.#versionAt(at) === 0 ? undefined : entryAt(this.#entries, at);
  }

  /** Writes what follows the key in an entry. */
  encode(key: StreamKey, into: Buffer, offset: number): void {
    const at = this.#find(key);
    this.#entries.copy(into, offset + HASH, at + HASH, at + ENTRY_BYTES);
  }

  merge(key: StreamKey, entry: StreamEntry): void {
    let at = this.#find(key);
    const known = this.#versionAt(at);
    if (known === 0) {
      if ((this.size + 1) * 4 > (this.#entries.length / ENTRY_BYTES) * 3) {
        this.#grow();
        at = this.#find(key);
      }
      writeKey(key, this.#entries, at);
      this.size++;
    }
    const removed = this.#entries.readUInt32LE(at + REMOVED);
    if (entry.removed > removed) this.#entries.writeUInt32LE(entry.removed, at + REMOVED);
    if (entry.version < known) return;
    this.#entries.writeUInt32LE(entry.version, at + VERSION);
    this.#entries.writeDoubleLE(entry.seq, at + SEQ);
    this.#entries.write(entry.hash, at + HASH, 'hex');
  }

  /** Where the entry of a key is, or belongs. */
  #find(key: StreamKey): number {
    const { length } = this.#entries;
    let at = slotOf(wordOf(key, 1), length);
    while (this.#versionAt(at) !== 0 && !this.#holds(at, key)) at = (at + ENTRY_BYTES) & (length - 1);
    return at;
  }

  #versionAt(at: number): number {
    return this.#entries.readUInt32LE(at + VERSION);
  }

  #holds(at: number, key: StreamKey): boolean {
    for (let word = 0; word < KEY_WORDS; word++)
      if (this.#entries.readInt32LE(at + word * 4) !== wordOf(key, word)) return false;
    return true;
  }

  #grow(): void {
    const old = this.#entries;
    this.#entries = Buffer.alloc(2 * old.length);
    const { length } = this.#entries;
    for (let from = 0; from < old.length; from += ENTRY_BYTES) {
      if (old.readUInt32LE(from + VERSION) === 0) continue;
      // All of them are different: the first free place is the one.
      let to = slotOf(old.readInt32LE(from + 4), length);
      while (this.#versionAt(to) !== 0) to = (to + ENTRY_BYTES) & (length - 1);
      old.copy(this.#entries, to, from, from + ENTRY_BYTES);
    }
  }
}

/** Where to look first for the key with this second word. The length of the table is a power of two. */
function slotOf(word: number, length: number): number {
  return (word * ENTRY_BYTES) & (length - 1);
}

function writeKey(key: StreamKey, into: Buffer, at: number): void {
  for (let word = 0; word < KEY_WORDS; word++) into.writeInt32LE(wordOf(key, word), at + word * 4);
}

function entryAt(bytes: Buffer, at: number): StreamEntry {
  return {
    hash: bytes.toString('hex', at + HASH, at + VERSION),
    version: bytes.readUInt32LE(at + VERSION),
    removed: bytes.readUInt32LE(at + REMOVED),
    seq: bytes.readDoubleLE(at + SEQ),
  };
}
