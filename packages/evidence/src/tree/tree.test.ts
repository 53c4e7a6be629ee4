import { TILE_WIDTH } from '@proffer/journal/tree';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../node/native.js';
import { GrowingTree } from './growing-tree.js';
import {
  consistencyRanges,
  createTreeHashes,
  inclusionRanges,
  provesConsistency,
  provesInclusion,
} from './merkle.js';
import { hashOfRange, parseTilePath, type ReadTile, type TileName, tilePath } from './tiles.js';

const hashes = createTreeHashes(sha256);
const SIZE = 70_000;
const leaves = Array.from({ length: SIZE }, (_, index) => hashes.leaf(Buffer.from(`record ${index}`)));

/** The root by definition, from the leaves alone. */
function rootOf(start: number, end: number): Uint8Array {
  const count = end - start;
  if (count === 0) return hashes.empty;
  if (count === 1) return leaves[start] as Uint8Array;
  let half = 1;
  while (half * 2 < count) half *= 2;
  return hashes.node(rootOf(start, start + half), rootOf(start + half, end));
}

function grow(size: number): {
  readonly tree: GrowingTree;
  readonly read: ReadTile;
  readonly tiles: Map<string, Uint8Array>;
} {
  const tiles = new Map<string, Uint8Array>();
  const tree = new GrowingTree(hashes, ({ tile, bytes }) => tiles.set(tilePath(tile), bytes));
  for (const leaf of leaves.slice(0, size)) tree.add(leaf);
  for (const { tile, bytes } of tree.partialTiles()) tiles.set(tilePath(tile), bytes);
  return {
    tree,
    tiles,
    read: async (tile: TileName) => {
      const bytes = tiles.get(tilePath(tile));
      if (bytes === undefined) throw new Error(`There is no ${tilePath(tile)}.`);
      return bytes;
    },
  };
}

const SIZES = [0, 1, 2, 3, 5, 7, 8, 255, 256, 257, 511, 513, 1000];

describe('a tree over records', () => {
  it('has the root that RFC 9162 defines, at any size', () => {
    for (const size of [...SIZES, 65_536, SIZE])
      expect(Buffer.from(grow(size).tree.root())).toEqual(Buffer.from(rootOf(0, size)));
  });

  it('has the tiles that tlog-tiles asks for: 70,000 leaves have 273 full ones, and partial ones of 112, 17 and 1', () => {
    const { tree, tiles } = grow(SIZE);
    const full = [...tiles.keys()].filter((path) => !path.includes('.p/'));
    expect(full.filter((path) => path.startsWith('tile/0/'))).toHaveLength(273);
    expect(full.filter((path) => path.startsWith('tile/1/'))).toHaveLength(1);
    expect(tree.partialTiles().map(({ tile }) => tile.width)).toEqual([112, 17, 1]);
  });

  it('proves each leaf from its tiles, and nothing else', async () => {
    for (const size of SIZES.filter((one) => one > 0)) {
      const { read } = grow(size);
      const root = rootOf(0, size);
      for (const index of new Set([0, 1, Math.floor(size / 2), Math.floor(size / 3), size - 1]).values()) {
        if (index >= size) continue;
        const ranges = inclusionRanges(index, size);
        const proof = await Promise.all(ranges.map((range) => hashOfRange(range, size, { read, hashes })));
        const claim = { leaf: leaves[index] as Uint8Array, index, size, root };
        expect(provesInclusion(claim, proof, hashes)).toBe(true);
        expect(provesInclusion({ ...claim, leaf: leaves[size] ?? root }, proof, hashes)).toBe(
          size === 1 && leaves[size] === undefined,
        );
        expect(provesInclusion({ ...claim, index: size }, proof, hashes)).toBe(false);
        expect(provesInclusion(claim, [...proof, root], hashes)).toBe(false);
      }
    }
  });

  it('proves that an earlier tree is its beginning, and refuses one that is not', async () => {
    for (const size of SIZES) {
      const { read } = grow(size);
      const root = rootOf(0, size);
      for (const earlier of SIZES.filter((one) => one <= size)) {
        const ranges = consistencyRanges(earlier, size);
        const proof = await Promise.all(ranges.map((range) => hashOfRange(range, size, { read, hashes })));
        const claim = { earlier, earlierRoot: rootOf(0, earlier), size, root };
        expect(provesConsistency(claim, proof, hashes)).toBe(true);
        const other = hashes.leaf(Buffer.from('another'));
        expect(provesConsistency({ ...claim, earlierRoot: other }, proof, hashes)).toBe(false);
        if (earlier > 0) expect(provesConsistency({ ...claim, root: other }, proof, hashes)).toBe(false);
      }
    }
  });

  it('continues from its last tiles as if it had never stopped', () => {
    for (const size of SIZES) {
      const { tree } = grow(size);
      const resumed = new GrowingTree(hashes, () => {});
      resumed.resume(size, tree.partialTiles());
      const more = leaves.slice(size, size + 600);
      for (const leaf of more) resumed.add(leaf);
      expect(Buffer.from(resumed.root())).toEqual(Buffer.from(rootOf(0, size + more.length)));
    }
  });
});

describe('the path of a tile', () => {
  it.each([
    [{ level: 0, index: 0, width: TILE_WIDTH }, 'tile/0/000'],
    [{ level: 3, index: 1_234_067, width: TILE_WIDTH }, 'tile/3/x001/x234/067'],
    [{ level: 1, index: 999, width: 17 }, 'tile/1/999.p/17'],
  ])('%o is %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  it.each([
    'tile/0/0',
    'tile/0/x000/001',
    'tile/00/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/../x',
    'tile/0/000.p/01',
  ])('%s is not one', (path) => expect(parseTilePath(path)).toBeUndefined());
});
