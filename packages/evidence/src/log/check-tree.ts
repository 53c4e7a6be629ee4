import { ENTRY_BYTES, HASH_BYTES, seqAt, type TreeStore } from '@proffer/journal/tree';
import { toHex } from '../notes/bytes.js';
import type { TreeState } from '../notes/checkpoint.js';
import { GrowingTree } from '../tree/growing-tree.js';
import { isSameHash, type TreeHashes } from '../tree/merkle.js';
import { encodeEntry, type LogEntry } from './entry.js';
import { joinEntries } from './join-entries.js';

/** A place where the journal and its tree differ. */
export interface TreeFault {
  readonly seq: number;
  /**
   * `changed`: another record is at this place; `added`: the tree has none there; `disordered`: the tree itself is not in
   * order there.
   */
  readonly what: 'changed' | 'added' | 'disordered';
}

/** What the comparison of a journal with its tree found. */
export interface TreeCheck {
  /** How many records the log has had, with those that are only in the journal so far. */
  readonly size: number;
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
  const bySize = new Map<number, number[]>();
  for (const [at, { size }] of states.entries()) bySize.set(size, [...(bySize.get(size) ?? []), at]);
  const faults: TreeFault[] = [];
  let gone = 0;
  let last = 0;
  const compareRoot = (): void => {
    for (const at of bySize.get(tree.size) ?? [])
      begins[at] = isSameHash(tree.root(), states[at]?.root ?? new Uint8Array());
  };
  const fault = (seq: number, what: TreeFault['what']): void => {
    if (faults.length < MAX_FAULTS) faults.push({ seq, what });
  };

  compareRoot();
  const stored = await store.count();
  for await (const { stored: entry, record } of joinEntries(store, 0, records)) {
    if (entry === undefined && tree.size < stored) {
      fault(record.seq, 'added');
      continue;
    }
    const bytes = entry ?? encodeEntry(record);
    const seq = seqAt(bytes, 0);
    if (seq <= last) fault(seq, 'disordered');
    else if (record === undefined) gone++;
    else if (toHex(bytes.subarray(ENTRY_BYTES - HASH_BYTES)) !== record.hash) fault(seq, 'changed');
    last = Math.max(last, seq);
    tree.add(hashes.leaf(bytes));
    compareRoot();
  }
  return { size: tree.size, gone, faults, begins };
}
