import { ENTRY_BYTES, HASH_BYTES, seqAt, TILE_WIDTH, type TreeStore } from '@proffer/journal/tree';
import { toHex } from '../notes/bytes.js';
import type { TreeState } from '../notes/checkpoint.js';
import { GrowingTree } from '../tree/growing-tree.js';
import { isSameHash, type TreeHashes } from '../tree/merkle.js';
import { encodeEntry, type LogEntry } from './entry.js';

/** A record that is not what the tree says. */
export interface TreeFault {
  readonly seq: number;
  /** `changed`: another record is at this place; `added`: the tree has none there. */
  readonly what: 'changed' | 'added';
}

/** What the comparison of a journal with its tree found. */
export interface TreeCheck {
  /** How many records the log has had, with those that are only in the journal so far. */
  readonly size: number;
  /** How many of them are in the stored tree. */
  readonly stored: number;
  /** How many the tree has that the journal does not: retention removed them, or someone else did. */
  readonly gone: number;
  readonly faults: readonly TreeFault[];
  /** For each of the given states, in their order, whether the log began with it. */
  readonly begins: readonly boolean[];
}

/** More faults than this are not listed. */
const MAX_FAULTS = 100;

/**
 * Compares the records of a journal with the tree that is stored with it, and the tree with states that were signed
 * earlier. The root of each state is computed again from the entries.
 */
export async function checkTree(options: {
  readonly store: TreeStore;
  /** All records, in order. */
  readonly records: AsyncIterable<LogEntry>;
  readonly states: readonly TreeState[];
  readonly hashes: TreeHashes;
}): Promise<TreeCheck> {
  const { store, records, states, hashes } = options;
  const tree = new GrowingTree(hashes, () => {});
  const begins = states.map(() => false);
  const faults: TreeFault[] = [];
  let gone = 0;
  const compareRoot = (): void => {
    for (const [at, { size, root }] of states.entries())
      if (size === tree.size) begins[at] = isSameHash(tree.root(), root);
  };
  const sizes = new Set(states.map(({ size }) => size));
  const add = (entry: Uint8Array): void => {
    tree.add(hashes.leaf(entry));
    if (sizes.has(tree.size)) compareRoot();
  };
  const fault = (seq: number, what: TreeFault['what']): void => {
    if (faults.length < MAX_FAULTS) faults.push({ seq, what });
  };

  compareRoot();
  const stored = await store.count();
  const entries = storedEntries(store, stored);
  let next = await entries.next();
  for await (const record of records) {
    for (; next.done !== true && seqAt(next.value, 0) < record.seq; next = await entries.next()) {
      gone++;
      add(next.value);
    }
    if (next.done === true) add(encodeEntry(record));
    else if (seqAt(next.value, 0) > record.seq) fault(record.seq, 'added');
    else {
      if (toHex(next.value.subarray(ENTRY_BYTES - HASH_BYTES)) !== record.hash) fault(record.seq, 'changed');
      add(next.value);
      next = await entries.next();
    }
  }
  for (; next.done !== true; next = await entries.next()) {
    gone++;
    add(next.value);
  }
  return { size: tree.size, stored, gone, faults, begins };
}

async function* storedEntries(store: TreeStore, count: number): AsyncGenerator<Uint8Array, undefined> {
  for (let tile = 0; tile * TILE_WIDTH < count; tile++) {
    const bytes = await store.read('entries', tile);
    const width = Math.min(TILE_WIDTH, count - tile * TILE_WIDTH);
    for (let at = 0; at < width; at++) yield bytes.subarray(at * ENTRY_BYTES, (at + 1) * ENTRY_BYTES);
  }
  return undefined;
}
