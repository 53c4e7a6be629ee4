/** What is stored of a tree: its entries, one for each record, and the hashes of full tiles by level, from 1. */
export type TreeRow = 'entries' | number;

/** How many entries or hashes a tile has when it is full. */
export const TILE_WIDTH = 256;

/** The length of an entry: the `seq` of a record in eight bytes, and its hash. */
export const ENTRY_BYTES = 40;

/** The length of a hash in bytes. */
export const HASH_BYTES = 32;

/**
 * Stores the tree over a journal's records. It is derived from them and could be made again, as long as retention has
 * removed nothing: so a journal with a tree stores it before it removes records.
 */
export interface TreeStore {
  /** As much of a tile as is stored; empty if nothing is. */
  read(row: TreeRow, tile: number): Promise<Uint8Array>;
  /** Stores a tile from its beginning; a partial one is replaced when it has grown. Rejects with the system's error. */
  write(row: TreeRow, tile: number, bytes: Uint8Array): Promise<void>;
  /** How many entries are stored without a gap. */
  count(): Promise<number>;
  /** Returns when everything that was written survives a power cut. */
  sync(): Promise<void>;
}

/** The bytes of a full tile. */
export function tileBytes(row: TreeRow): number {
  return TILE_WIDTH * (row === 'entries' ? ENTRY_BYTES : HASH_BYTES);
}

/**
 * Copies a tree, as far as it covers records that were copied with it.
 *
 * @param lastSeq - the last of these records
 */
export async function copyTree(from: TreeStore, to: TreeStore, lastSeq: number): Promise<void> {
  let count = 0;
  for (let tile = 0; count === tile * TILE_WIDTH; tile++) {
    const stored = await from.read('entries', tile);
    let width = 0;
    while ((width + 1) * ENTRY_BYTES <= stored.length && seqAt(stored, width * ENTRY_BYTES) <= lastSeq)
      width++;
    if (width === 0) break;
    await to.write('entries', tile, stored.subarray(0, width * ENTRY_BYTES));
    count += width;
  }
  for (let level = 1, full = Math.floor(count / TILE_WIDTH ** 2); full > 0; level++) {
    for (let tile = 0; tile < full; tile++) await to.write(level, tile, await from.read(level, tile));
    full = Math.floor(full / TILE_WIDTH);
  }
  await to.sync();
}

/** The `seq` of the entry at an offset. */
export function seqAt(entries: Uint8Array, offset: number): number {
  return Number(new DataView(entries.buffer, entries.byteOffset + offset).getBigUint64(0));
}

/** A tree in memory. */
export function createTreeMemory(): TreeStore {
  const tiles = new Map<string, Uint8Array>();
  return {
    read: (row, tile) => Promise.resolve(tiles.get(`${row}/${tile}`) ?? new Uint8Array()),
    write(row, tile, bytes) {
      tiles.set(`${row}/${tile}`, bytes);
      return Promise.resolve();
    },
    count() {
      let full = 0;
      while (tiles.get(`entries/${full}`)?.length === tileBytes('entries')) full++;
      return Promise.resolve(full * TILE_WIDTH + (tiles.get(`entries/${full}`)?.length ?? 0) / ENTRY_BYTES);
    },
    sync: () => Promise.resolve(),
  };
}
