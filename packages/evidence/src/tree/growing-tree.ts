import { HASH_BYTES, TILE_WIDTH } from '@proffer/journal/tree';
import { rootOfRow, type TreeHashes } from './merkle.js';
import type { TileName } from './tiles.js';

/** A tile that has all its hashes. */
export interface FullTile {
  readonly tile: TileName;
  readonly bytes: Uint8Array;
}

/** The last tile of a level while it fills up. */
interface Edge {
  readonly bytes: Uint8Array;
  /** How many hashes it has. */
  width: number;
  /** How many tiles of the level are full. */
  full: number;
}

/**
 * The right edge of a tree that grows: for each level the tile that is not full yet. Full tiles are handed on and
 * forgotten, so its memory does not depend on the size of the tree.
 */
export class GrowingTree {
  readonly #hashes: TreeHashes;
  readonly #onFull: (full: FullTile) => void;
  readonly #edges: Edge[] = [];
  #size = 0;

  /**
   * @param onFull - is given each tile as soon as it is full, lower levels first
   */
  constructor(hashes: TreeHashes, onFull: (full: FullTile) => void) {
    this.#hashes = hashes;
    this.#onFull = onFull;
  }

  /** How many leaves it has. */
  get size(): number {
    return this.#size;
  }

  /** Continues a tree of a size. Partial tiles of all levels are required: see {@link GrowingTree.partialTiles}. */
  resume(size: number, partial: readonly FullTile[]): void {
    this.#size = size;
    this.#edges.length = 0;
    for (let level = 0, hashes = size; hashes > 0; level++, hashes = Math.floor(hashes / TILE_WIDTH)) {
      const edge = this.#edge(level);
      edge.width = hashes % TILE_WIDTH;
      edge.full = Math.floor(hashes / TILE_WIDTH);
      const found = partial.find(({ tile }) => tile.level === level);
      if (edge.width > 0 && found === undefined) throw new Error(`A tile of level ${level} is missing.`);
      if (found !== undefined) edge.bytes.set(found.bytes.subarray(0, edge.width * HASH_BYTES));
    }
  }

  /** Adds the hash of the next leaf. */
  add(leaf: Uint8Array): void {
    this.#size++;
    this.#push(0, leaf);
  }

  /** The tiles at the right edge that are not full. */
  partialTiles(): readonly FullTile[] {
    return this.#edges.flatMap(({ bytes, width, full }, level) =>
      width === 0 ? [] : [{ tile: { level, index: full, width }, bytes: bytes.slice(0, width * HASH_BYTES) }],
    );
  }

  /** The hash of the whole tree. */
  root(): Uint8Array {
    let root: Uint8Array | undefined;
    // From the lowest level up: what is on a higher level comes before it.
    for (const { bytes, width } of this.#edges) {
      for (let end = width; end > 0; ) {
        // The complete subtree at the end of the row: its size is the lowest set bit.
        const count = end & -end;
        const part = rootOfRow(bytes.subarray((end - count) * HASH_BYTES, end * HASH_BYTES), this.#hashes);
        root = root === undefined ? part : this.#hashes.node(part, root);
        end -= count;
      }
    }
    return root ?? this.#hashes.empty;
  }

  #push(level: number, hash: Uint8Array): void {
    const edge = this.#edge(level);
    edge.bytes.set(hash, edge.width * HASH_BYTES);
    edge.width++;
    if (edge.width < TILE_WIDTH) return;
    const bytes = edge.bytes.slice();
    const index = edge.full;
    edge.width = 0;
    edge.full++;
    this.#onFull({ tile: { level, index, width: TILE_WIDTH }, bytes });
    this.#push(level + 1, rootOfRow(bytes, this.#hashes));
  }

  #edge(level: number): Edge {
    this.#edges[level] ??= { bytes: new Uint8Array(TILE_WIDTH * HASH_BYTES), width: 0, full: 0 };
    return this.#edges[level];
  }
}
