import {
  ENTRY_BYTES,
  HASH_BYTES,
  seqAt,
  TILE_WIDTH,
  type TreeRow,
  type TreeStore,
  tileBytes,
} from '@proffer/journal/tree';
import { joined } from '../notes/bytes.js';
import type { TreeState } from '../notes/checkpoint.js';
import { type FullTile, GrowingTree } from '../tree/growing-tree.js';
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  rootOfRow,
  type TreeHashes,
} from '../tree/merkle.js';
import { hashOfRange, type TileName } from '../tree/tiles.js';
import { encodeEntry, type LogEntry } from './entry.js';

/** A record's place in a tree, and the hashes that prove it. */
export interface InclusionProof {
  readonly index: number;
  readonly proof: readonly Uint8Array[];
}

/** Tiles, and hashes of ranges, of the tree of one size. */
export type SharedHashes = Map<string, Promise<Uint8Array>>;

/**
 * The tree over a journal, as far as its records have been added. What is stored may be behind: after a restart, the
 * journal's records after {@link TreeKeeper.lastSeq} are added again.
 */
export class TreeKeeper {
  readonly #store: TreeStore;
  readonly #hashes: TreeHashes;
  readonly #tree: GrowingTree;
  /** The last tile, which is not full. */
  readonly #last = new Uint8Array(tileBytes('entries'));
  #lastSeq = 0;
  /** Full tiles that are not stored yet, by row and number. */
  readonly #unstored = new Map<
    string,
    { readonly row: TreeRow; readonly tile: number; readonly bytes: Uint8Array }
  >();

  private constructor(store: TreeStore, hashes: TreeHashes) {
    this.#store = store;
    this.#hashes = hashes;
    this.#tree = new GrowingTree(hashes, ({ tile, bytes }) => {
      if (tile.level > 0) this.#put(tile.level, tile.index, bytes);
    });
  }

  /**
   * Continues a stored tree.
   *
   * @param size - as far as it is trusted; the rest is ignored. Default: everything that is stored
   */
  static async open(store: TreeStore, hashes: TreeHashes, size?: number): Promise<TreeKeeper> {
    const keeper = new TreeKeeper(store, hashes);
    const stored = await store.count();
    await keeper.#resume(Math.min(size ?? stored, stored));
    return keeper;
  }

  /** The last record in the tree; 0 if there is none. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  get size(): number {
    return this.#tree.size;
  }

  state(): TreeState {
    return { size: this.#tree.size, root: this.#tree.root() };
  }

  /** Adds the next records of the journal. Those that it has are left out. */
  add(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.seq <= this.#lastSeq) continue;
      const bytes = encodeEntry(entry);
      const tile = Math.floor(this.#tree.size / TILE_WIDTH);
      this.#last.set(bytes, (this.#tree.size % TILE_WIDTH) * ENTRY_BYTES);
      this.#tree.add(this.#hashes.leaf(bytes));
      if (this.#tree.size % TILE_WIDTH === 0) this.#put('entries', tile, this.#last.slice());
      this.#lastSeq = entry.seq;
    }
  }

  /** Stores everything up to now; returns when it is on disk. */
  async save(): Promise<void> {
    const full = [...this.#unstored];
    const last = { tile: Math.floor(this.#tree.size / TILE_WIDTH), bytes: this.#lastEntries() };
    for (const [key, { row, tile, bytes }] of full) {
      await this.#store.write(row, tile, bytes);
      this.#unstored.delete(key);
    }
    if (last.bytes.length > 0) await this.#store.write('entries', last.tile, last.bytes);
    await this.#store.sync();
  }

  /** The root when the tree had a size that is not larger than now. */
  rootAt(size: number): Promise<Uint8Array> {
    return this.#hashOf({ start: 0, end: size }, size);
  }

  /**
   * Proves that a record is in the tree of a size; `undefined` if it is not.
   *
   * @param shared - for several proofs about the same size: what they have in common is computed once. Default: nothing
   */
  async proveInclusion(
    seq: number,
    size: number,
    shared: SharedHashes = new Map(),
  ): Promise<InclusionProof | undefined> {
    const index = await this.#indexOf(seq, size);
    if (index === undefined) return undefined;
    return { index, proof: await this.#prove(inclusionRanges(index, size), size, shared) };
  }

  /** Proves that the tree of a size begins with the earlier one. */
  proveConsistency(earlier: number, size: number): Promise<readonly Uint8Array[]> {
    return this.#prove(consistencyRanges(earlier, size), size);
  }

  /** The hashes of a tile, at least as many as its width says; `undefined` if the tree has no such tile. */
  async tile({ level, index, width }: TileName): Promise<Uint8Array | undefined> {
    const bytes = level === 0 ? this.#leaves(await this.entries(index)) : await this.#row(level, index);
    return bytes.length < width * HASH_BYTES ? undefined : bytes.subarray(0, width * HASH_BYTES);
  }

  /** The entries of a tile of level 0, as far as there are any. */
  async entries(tile: number): Promise<Uint8Array> {
    if (tile === Math.floor(this.#tree.size / TILE_WIDTH)) return this.#lastEntries();
    return this.#unstored.get(keyOf('entries', tile))?.bytes ?? (await this.#store.read('entries', tile));
  }

  #lastEntries(): Uint8Array {
    return this.#last.slice(0, (this.#tree.size % TILE_WIDTH) * ENTRY_BYTES);
  }

  async #row(level: number, index: number): Promise<Uint8Array> {
    const edge = this.#tree.partialTiles().find(({ tile }) => tile.level === level && tile.index === index);
    return (
      edge?.bytes ?? this.#unstored.get(keyOf(level, index))?.bytes ?? (await this.#store.read(level, index))
    );
  }

  #leaves(entries: Uint8Array): Uint8Array {
    const leaves: Uint8Array[] = [];
    for (let at = 0; at < entries.length; at += ENTRY_BYTES)
      leaves.push(this.#hashes.leaf(entries.subarray(at, at + ENTRY_BYTES)));
    return joined(...leaves);
  }

  #prove(
    ranges: readonly LeafRange[],
    size: number,
    shared: SharedHashes = new Map(),
  ): Promise<readonly Uint8Array[]> {
    const once = (key: string, make: () => Promise<Uint8Array>): Promise<Uint8Array> => {
      const found = shared.get(key) ?? make();
      shared.set(key, found);
      return found;
    };
    // Eight hashes of a proof are in one tile, whose leaves are hashed when it is read.
    const read = (tile: TileName): Promise<Uint8Array> =>
      once(`${keyOf(tile.level, tile.index)}/${tile.width}`, () => this.#tile(tile));
    return Promise.all(
      ranges.map((range) => once(`${range.start}-${range.end}`, () => this.#hashOf(range, size, read))),
    );
  }

  #hashOf(
    range: LeafRange,
    size: number,
    read: (tile: TileName) => Promise<Uint8Array> = (tile) => this.#tile(tile),
  ): Promise<Uint8Array> {
    return hashOfRange(range, size, { read, hashes: this.#hashes });
  }

  async #tile(tile: TileName): Promise<Uint8Array> {
    const bytes = await this.tile(tile);
    if (bytes === undefined) throw new Error(`The tree has no tile ${tile.index} of level ${tile.level}.`);
    return bytes;
  }

  /** Where a record is in the tree: places in the journal may have gaps, so it is searched for. */
  async #indexOf(seq: number, size: number): Promise<number | undefined> {
    // A record is as far before its `seq` as there are gaps, of which few journals have many.
    const gaps = this.#lastSeq - this.#tree.size;
    let low = Math.max(0, seq - 1 - gaps);
    let high = Math.min(size, seq) - 1;
    while (low <= high) {
      const middle = Math.floor((low + high) / 2);
      const found = seqAt(
        await this.entries(Math.floor(middle / TILE_WIDTH)),
        (middle % TILE_WIDTH) * ENTRY_BYTES,
      );
      if (found === seq) return middle;
      if (found < seq) low = middle + 1;
      else high = middle - 1;
    }
    return undefined;
  }

  #put(row: TreeRow, tile: number, bytes: Uint8Array): void {
    this.#unstored.set(keyOf(row, tile), { row, tile, bytes });
  }

  async #resume(size: number): Promise<void> {
    const partial: FullTile[] = [];
    const tile = Math.floor(size / TILE_WIDTH);
    const entries = await this.#store.read('entries', tile);
    const width = size % TILE_WIDTH;
    const last = entries.subarray(0, width * ENTRY_BYTES);
    this.#last.set(last);
    if (width > 0) partial.push({ tile: { level: 0, index: tile, width }, bytes: this.#leaves(last) });
    // A partial tile above level 0 is not stored: it is made of the full ones below it.
    for (let level = 1, full = tile; full > 0; level++, full = Math.floor(full / TILE_WIDTH)) {
      const index = Math.floor(full / TILE_WIDTH);
      const hashes: Uint8Array[] = [];
      for (let below = index * TILE_WIDTH; below < full; below++) {
        const row =
          level === 1
            ? this.#leaves(await this.#store.read('entries', below))
            : await this.#store.read(level - 1, below);
        hashes.push(rootOfRow(row, this.#hashes));
      }
      if (hashes.length > 0)
        partial.push({ tile: { level, index, width: hashes.length }, bytes: joined(...hashes) });
    }
    this.#tree.resume(size, partial);
    if (size === 0) return;
    const end = width > 0 ? entries : await this.#store.read('entries', tile - 1);
    this.#lastSeq = seqAt(end, ((size - 1) % TILE_WIDTH) * ENTRY_BYTES);
  }
}

const keyOf = (row: TreeRow, tile: number): string => `${row}/${tile}`;
