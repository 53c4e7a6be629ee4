import { HASH_BYTES, TILE_WIDTH } from '@proffer/journal/tree';
import { type LeafRange, rootOfRow, splitOf, type TreeHashes } from './merkle.js';

/** How many levels of the tree one level of tiles stands for. */
const TILE_HEIGHT = 8;

/**
 * A piece of a tree, as C2SP's tlog-tiles defines it: hashes side by side. On level 0 they are of leaves, and above of
 * full tiles.
 */
export interface TileName {
  readonly level: number;
  readonly index: number;
  /** How many hashes it has: {@link TILE_WIDTH}, or fewer at the end of a tree. */
  readonly width: number;
}

/** The path of a tile, in an address and in a folder: `tile/0/x001/x234/067.p/12`. */
export function tilePath({ level, index, width }: TileName): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, '0');
  const groups = padded.match(/\d{3}/g) ?? [];
  const parts = groups.map((group, place) => (place < groups.length - 1 ? `x${group}` : group));
  return `tile/${level}/${parts.join('/')}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

const TILE_PATH = /^tile\/(\d{1,2})\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/;

/** The tile at a path; `undefined` if no tile can be there. */
export function parseTilePath(path: string): TileName | undefined {
  const [, level, index = '', part] = TILE_PATH.exec(path) ?? [];
  if (level === undefined) return undefined;
  const width = part === undefined ? TILE_WIDTH : Number(part);
  const tile = { level: Number(level), index: Number(index.replace(/[x/]/g, '')), width };
  // There is one path for each tile.
  return part !== undefined && width >= TILE_WIDTH ? undefined : tilePath(tile) === path ? tile : undefined;
}

/** Reads a tile's hashes, at least as many as its width says. Rejects if there is no such tile. */
export type ReadTile = (tile: TileName) => Promise<Uint8Array>;

/** The hash of a range of leaves that the tree's structure has as one part. */
export async function hashOfRange(
  { start, end }: LeafRange,
  size: number,
  { read, hashes }: { readonly read: ReadTile; readonly hashes: TreeHashes },
): Promise<Uint8Array> {
  const count = end - start;
  if (count === 0) return hashes.empty;
  const half = splitOf(count);
  if (count === 1 || half * 2 === count) return hashOfSubtree(start, count);
  const middle = start + half;
  const [left, right] = await Promise.all([
    hashOfSubtree(start, half),
    hashOfRange({ start: middle, end }, size, { read, hashes }),
  ]);
  return hashes.node(left, right);

  /** A complete subtree: a power of two of leaves. */
  async function hashOfSubtree(first: number, leaves: number): Promise<Uint8Array> {
    const height = Math.round(Math.log2(leaves));
    const level = Math.floor(height / TILE_HEIGHT);
    const unit = TILE_WIDTH ** level;
    const place = first / unit;
    const index = Math.floor(place / TILE_WIDTH);
    const inTree = Math.floor(size / unit) - index * TILE_WIDTH;
    const tile = await read({ level, index, width: Math.min(inTree, TILE_WIDTH) });
    const offset = (place % TILE_WIDTH) * HASH_BYTES;
    return rootOfRow(tile.subarray(offset, offset + (leaves / unit) * HASH_BYTES), hashes);
  }
}
