import { EVERY_SPACE, type Journal } from '@proffer/journal';
import { ENTRY_BYTES, seqAt, TILE_WIDTH, type TreeStore } from '@proffer/journal/tree';
import type { TreeHashes } from '../tree/merkle.js';
import { decodeEntry } from './entry.js';
import { joinEntries } from './join-entries.js';
import { TreeKeeper } from './tree-keeper.js';

/**
 * Brings a stored tree up to date with its journal, from a size that is trusted. What is stored after that may be left
 * from a power cut, so the journal's records count; only for those that retention has removed, the stored entries do.
 *
 * @param size - what is trusted, such as the size of a signed checkpoint
 * @param target - where the tree is stored from now on. Default: where it is
 */
export async function continueTree(
  journal: Pick<Journal, 'feed' | 'lastSeq'>,
  {
    store,
    target = store,
    size,
    hashes,
  }: {
    readonly store: TreeStore;
    readonly target?: TreeStore;
    readonly size: number;
    readonly hashes: TreeHashes;
  },
): Promise<TreeKeeper> {
  const tree = await TreeKeeper.open(target, hashes, size);
  const end = await journal.lastSeq(EVERY_SPACE);
  const records = journal.feed(EVERY_SPACE, tree.lastSeq, { follow: false });
  for await (const { stored, record } of joinEntries(store, tree.size, records)) {
    if (record !== undefined) tree.add([record]);
    else if (stored !== undefined && seqAt(stored, 0) <= end) tree.add([decodeEntry(stored)]);
  }
  return tree;
}

/**
 * Whether a journal still ends like the signed part of its tree: no record of the last tile was changed or added, and
 * none after it is missing. Comparing everything would read the whole journal; that is what `checkTree` is for.
 */
export async function endsAlike(
  journal: Pick<Journal, 'feed' | 'lastSeq'>,
  { store, size }: { readonly store: TreeStore; readonly size: number },
): Promise<boolean> {
  // A log that was signed before its first record ends like any journal.
  if (size === 0) return true;
  const from = Math.max(0, size - TILE_WIDTH);
  const lastSigned = await seqOf(store, size - 1);
  if ((await journal.lastSeq(EVERY_SPACE)) < lastSigned) return false;
  const records = journal.feed(EVERY_SPACE, (await seqOf(store, from)) - 1, { follow: false });
  for await (const { stored, record } of joinEntries(store, from, records)) {
    const seq = record?.seq ?? seqAt(stored ?? new Uint8Array(8), 0);
    if (seq > lastSigned) break;
    if (record !== undefined && (stored === undefined || decodeEntry(stored).hash !== record.hash))
      return false;
  }
  return true;
}

/** The `seq` of an entry; 0 if there is none. */
async function seqOf(store: TreeStore, index: number): Promise<number> {
  const entries = await store.read('entries', Math.floor(index / TILE_WIDTH));
  const offset = (index % TILE_WIDTH) * ENTRY_BYTES;
  return entries.length < offset + ENTRY_BYTES ? 0 : seqAt(entries, offset);
}

/** Completes the tree of a journal, if it has one, before records are removed: it keeps their hashes. */
export async function completeTree(
  journal: Pick<Journal, 'feed' | 'lastSeq' | 'tree'>,
  hashes: TreeHashes,
): Promise<void> {
  const { tree: store } = journal;
  if (store === undefined || (await store.count()) === 0) return;
  const tree = await continueTree(journal, { store, size: 0, hashes });
  await tree.save();
}
