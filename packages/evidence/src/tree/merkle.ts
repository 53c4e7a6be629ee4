import { ENTRY_BYTES, HASH_BYTES } from '@proffer/journal/tree';

/** SHA-256 of bytes. Hosts with a native one pass it in. */
export type HashBytes = (bytes: Uint8Array) => Uint8Array;

/** A range of leaves: from the first, up to but without the end. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The hashes of a Merkle tree (RFC 9162, section 2.1). A leaf and a node begin with different bytes, so that neither can
 * pass for the other.
 */
export interface TreeHashes {
  readonly leaf: (data: Uint8Array) => Uint8Array;
  readonly node: (left: Uint8Array, right: Uint8Array) => Uint8Array;
  /** The node over two hashes that are side by side from an offset on. */
  readonly nodeAt: (row: Uint8Array, offset: number) => Uint8Array;
  /** The root of a tree without leaves. */
  readonly empty: Uint8Array;
}

export function createTreeHashes(hash: HashBytes): TreeHashes {
  const pair = new Uint8Array(1 + 2 * HASH_BYTES);
  pair[0] = 1;
  // The leaves of our own logs all have this length.
  const entry = new Uint8Array(1 + ENTRY_BYTES);
  return {
    leaf(data) {
      const bytes = data.length === ENTRY_BYTES ? entry : new Uint8Array(1 + data.length);
      bytes.set(data, 1);
      return hash(bytes);
    },
    node(left, right) {
      pair.set(left, 1);
      pair.set(right, 1 + HASH_BYTES);
      return hash(pair);
    },
    nodeAt(row, offset) {
      pair.set(row.subarray(offset, offset + 2 * HASH_BYTES), 1);
      return hash(pair);
    },
    empty: hash(new Uint8Array()),
  };
}

/** The root of complete subtrees of equal size, whose hashes are side by side: a power of two of them. */
export function rootOfRow(row: Uint8Array, { nodeAt }: TreeHashes): Uint8Array {
  // Each row takes the place of the one below.
  const hashes = new Uint8Array(row);
  for (let length = hashes.length; length > HASH_BYTES; length /= 2)
    for (let at = 0; at < length; at += 2 * HASH_BYTES) hashes.set(nodeAt(hashes, at), at / 2);
  return hashes.slice(0, HASH_BYTES);
}

/** The largest power of two that is smaller than a size. Sizes may exceed 32 bits. */
export function splitOf(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The parts of the tree whose hashes prove that a leaf is in it, the lowest first. */
export function inclusionRanges(index: number, size: number): readonly LeafRange[] {
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** The parts of the tree whose hashes prove that an earlier tree is its beginning, the lowest first. */
export function consistencyRanges(earlier: number, size: number): readonly LeafRange[] {
  if (earlier === 0 || earlier === size) return [];
  const ranges: LeafRange[] = [];
  let start = 0;
  let end = size;
  while (end !== earlier) {
    const middle = start + splitOf(end - start);
    if (earlier <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // The earlier tree itself is known to whoever checks.
  if (start > 0) ranges.push({ start, end });
  return ranges.reverse();
}

/** A leaf's hash, its place in a tree, and the tree's root. */
export interface InclusionClaim {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether a proof shows that the leaf is in the tree. */
export function provesInclusion(
  { leaf, index, size, root }: InclusionClaim,
  proof: readonly Uint8Array[],
  { node }: TreeHashes,
): boolean {
  if (index < 0 || index >= size) return false;
  const ranges = inclusionRanges(index, size);
  if (ranges.length !== proof.length) return false;
  let hash = leaf;
  for (const [step, { start }] of ranges.entries()) {
    const beside = proof[step] as Uint8Array;
    hash = start > index ? node(hash, beside) : node(beside, hash);
  }
  return isSameHash(hash, root);
}

/** Two states of a tree. */
export interface ConsistencyClaim {
  readonly earlier: number;
  readonly earlierRoot: Uint8Array;
  readonly size: number;
  readonly root: Uint8Array;
}

/** Whether a proof shows that the earlier tree is the beginning of the later one. */
export function provesConsistency(
  { earlier, earlierRoot, size, root }: ConsistencyClaim,
  proof: readonly Uint8Array[],
  { node, empty }: TreeHashes,
): boolean {
  if (earlier > size) return false;
  if (earlier === 0) return proof.length === 0 && isSameHash(earlierRoot, empty);
  if (earlier === size) return proof.length === 0 && isSameHash(earlierRoot, root);
  const ranges = consistencyRanges(earlier, size);
  if (ranges.length !== proof.length) return false;
  // The earlier tree is a complete subtree of the later one, or its last part is the first of the proof.
  const isSubtree = ranges[0]?.start === earlier;
  const first = isSubtree ? earlierRoot : (proof[0] as Uint8Array);
  let before = first;
  let after = first;
  for (const [step, { start }] of ranges.entries()) {
    if (step === 0 && !isSubtree) continue;
    const beside = proof[step] as Uint8Array;
    if (start >= earlier) after = node(after, beside);
    else {
      before = node(beside, before);
      after = node(beside, after);
    }
  }
  return isSameHash(before, earlierRoot) && isSameHash(after, root);
}

export function isSameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
