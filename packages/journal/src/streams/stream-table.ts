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

const KEY_WORDS = 4;
const HASH_BYTES = 32;
const SHARDS = 256;

/**
 * The heads of all streams that ever existed, in 64 bytes each whatever their names, outside the
 * garbage-collected heap. Streams are identified by 128 bits of the SHA-256 of their names: clients
 * choose the names, so no weaker hash will do. Split into shards, so that growing never stops the
 * world.
 */
export class StreamTable {
  readonly #shards = Array.from({ length: SHARDS }, () => new Shard());

  /** How many streams there are. */
  get size(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.size, 0);
  }

  /** How many records of all streams are removed. */
  get removed(): number {
    return this.#shards.reduce((sum, shard) => sum + shard.removed, 0);
  }

  get(stream: string | StreamKey): StreamEntry | undefined {
    const key = typeof stream === 'string' ? keyOf(stream) : stream;
    return this.#shardOf(key).get(key);
  }

  /** Keeps the later head and the later removal of the known and the new ones. */
  merge(stream: string | StreamKey, entry: StreamEntry): void {
    const key = typeof stream === 'string' ? keyOf(stream) : stream;
    this.#shardOf(key).merge(key, entry);
  }

  /** Encodes what is known about a stream as {@link ENTRY_BYTES} bytes. */
  encode(stream: string): Buffer {
    const key = keyOf(stream);
    const entry = this.#shardOf(key).get(key) ?? NOTHING;
    const bytes = Buffer.alloc(ENTRY_BYTES);
    for (let word = 0; word < KEY_WORDS; word++) bytes.writeUInt32LE(key[word] as number, word * 4);
    bytes.write(entry.hash, 16, 'hex');
    bytes.writeUInt32LE(entry.version, 48);
    bytes.writeUInt32LE(entry.removed, 52);
    bytes.writeDoubleLE(entry.seq, 56);
    return bytes;
  }

  /** Adds what {@link encode} wrote. */
  mergeEncoded(bytes: Buffer): void {
    const key = new Uint32Array(KEY_WORDS);
    for (let offset = 0; offset + ENTRY_BYTES <= bytes.length; offset += ENTRY_BYTES) {
      for (let word = 0; word < KEY_WORDS; word++) key[word] = bytes.readUInt32LE(offset + word * 4);
      this.#shardOf(key).merge(key, {
        hash: bytes.toString('hex', offset + 16, offset + 48),
        version: bytes.readUInt32LE(offset + 48),
        removed: bytes.readUInt32LE(offset + 52),
        seq: bytes.readDoubleLE(offset + 56),
      });
    }
  }

  #shardOf(key: StreamKey): Shard {
    return this.#shards[(key[0] as number) % SHARDS] as Shard;
  }
}

const NOTHING: StreamEntry = { version: 0, hash: '', seq: 0, removed: 0 };

/** The lookup key of a stream; worth keeping while the same stream is looked up again. */
export type StreamKey = Uint32Array;

export function keyOf(stream: string): StreamKey {
  const known = keys.get(stream);
  if (known !== undefined) return known;
  if (keys.size === MAX_KEYS) keys.clear();
  const key = hashOf(stream);
  keys.set(stream, key);
  return key;
}

// A caller that asks for the end of a stream often appends to it a moment later.
const keys = new Map<string, StreamKey>();
const MAX_KEYS = 1024;

function hashOf(stream: string): StreamKey {
  const digest = hash('sha256', stream, 'binary');
  const key = new Uint32Array(KEY_WORDS);
  for (let index = 0; index < KEY_WORDS * 4; index++) {
    const word = index >> 2;
    key[word] = ((key[word] as number) << 8) | digest.charCodeAt(index);
  }
  return key;
}

/** Open addressing with linear probing; a slot with version 0 is free. */
class Shard {
  size = 0;
  #capacity = 16;
  #keys = new Uint32Array(this.#capacity * KEY_WORDS);
  #hashes = Buffer.alloc(this.#capacity * HASH_BYTES);
  #versions = new Uint32Array(this.#capacity);
  #removed = new Uint32Array(this.#capacity);
  #seqs = new Float64Array(this.#capacity);

  get removed(): number {
    return this.#removed.reduce((sum, removed) => sum + removed, 0);
  }

  get(key: StreamKey): StreamEntry | undefined {
    const slot = this.#find(key);
    const version = this.#versions[slot] as number;
    if (version === 0) return undefined;
    return {
      version,
      hash: this.#hashes.toString('hex', slot * HASH_BYTES, (slot + 1) * HASH_BYTES),
      seq: this.#seqs[slot] as number,
      removed: this.#removed[slot] as number,
    };
  }

  merge(key: StreamKey, entry: StreamEntry): void {
    let slot = this.#find(key);
    const known = this.#versions[slot] as number;
    if (known === 0) {
      if ((this.size + 1) * 4 > this.#capacity * 3) {
        this.#grow();
        slot = this.#find(key);
      }
      this.#keys.set(key, slot * KEY_WORDS);
      this.size++;
    }
    this.#removed[slot] = Math.max(this.#removed[slot] as number, entry.removed);
    if (entry.version < known) return;
    this.#versions[slot] = entry.version;
    this.#seqs[slot] = entry.seq;
    this.#hashes.write(entry.hash, slot * HASH_BYTES, 'hex');
  }

  #find(key: StreamKey): number {
    let slot = (key[1] as number) & (this.#capacity - 1);
    while (this.#versions[slot] !== 0 && !this.#holds(slot, key)) slot = (slot + 1) & (this.#capacity - 1);
    return slot;
  }

  #holds(slot: number, key: StreamKey): boolean {
    const start = slot * KEY_WORDS;
    for (let word = 0; word < KEY_WORDS; word++) if (this.#keys[start + word] !== key[word]) return false;
    return true;
  }

  #grow(): void {
    const old = {
      capacity: this.#capacity,
      keys: this.#keys,
      hashes: this.#hashes,
      versions: this.#versions,
      removed: this.#removed,
      seqs: this.#seqs,
    };
    this.#capacity *= 2;
    this.#keys = new Uint32Array(this.#capacity * KEY_WORDS);
    this.#hashes = Buffer.alloc(this.#capacity * HASH_BYTES);
    this.#versions = new Uint32Array(this.#capacity);
    this.#removed = new Uint32Array(this.#capacity);
    this.#seqs = new Float64Array(this.#capacity);
    for (let from = 0; from < old.capacity; from++) {
      if (old.versions[from] === 0) continue;
      const key = old.keys.subarray(from * KEY_WORDS, (from + 1) * KEY_WORDS);
      const to = this.#find(key);
      this.#keys.set(key, to * KEY_WORDS);
      this.#hashes.set(old.hashes.subarray(from * HASH_BYTES, (from + 1) * HASH_BYTES), to * HASH_BYTES);
      this.#versions[to] = old.versions[from] as number;
      this.#removed[to] = old.removed[from] as number;
      this.#seqs[to] = old.seqs[from] as number;
    }
  }
}
