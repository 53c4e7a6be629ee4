import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalJournal } from '@proffer/journal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../node/native.js';
import { createTreeHashes, provesConsistency, provesInclusion } from '../tree/merkle.js';
import { encodeEntry, type LogEntry } from './entry.js';
import { type SharedHashes, TreeKeeper } from './tree-keeper.js';

const hashes = createTreeHashes(sha256);
/** Records with gaps between their places. */
const records: readonly LogEntry[] = Array.from({ length: 1500 }, (_, index) => ({
  seq: 3 * index + 2,
  hash: Buffer.from(sha256(Buffer.from(String(index)))).toString('hex'),
}));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proffer-tree-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function kept(count: number) {
  const opened = await openLocalJournal(folder);
  if (!opened.ok) throw new Error(opened.refusal.message);
  const store = opened.value;
  const keeper = await TreeKeeper.open(store.tree, hashes);
  keeper.add(records.slice(0, count));
  return { store, keeper };
}

describe('a tree that is kept in a folder', () => {
  it('is the same after a restart at any size, and continues', async () => {
    const { keeper: whole, store } = await kept(0);
    await store.close();
    const roots: string[] = [];
    for (const record of records) {
      whole.add([record]);
      roots.push(Buffer.from(whole.state().root).toString('hex'));
    }
    for (const count of [1, 255, 256, 257, 600, 1500]) {
      const first = await kept(count);
      await first.keeper.save();
      await first.store.close();
      const { keeper, store: again } = await kept(0);
      expect(keeper.size).toBe(count);
      expect(keeper.lastSeq).toBe(records[count - 1]?.seq);
      expect(Buffer.from(keeper.state().root).toString('hex')).toBe(roots[count - 1]);
      await again.close();
    }
  });

  it('catches up with what was not stored, whatever a power cut left of its files', async () => {
    const { keeper, store } = await kept(700);
    await keeper.save();
    keeper.add(records);
    const expected = keeper.state().root;
    await store.close();
    for (const bytes of [0, 1, 39, 40, 10_240, 10_245, 20_000]) {
      await truncate(join(folder, 'tree.entries'), bytes);
      const again = await kept(records.length);
      expect(Buffer.from(again.keeper.state().root)).toEqual(Buffer.from(expected));
      expect(again.keeper.size).toBe(records.length);
      await again.keeper.save();
      await again.store.close();
    }
  });

  it('proves records and earlier states, stored or not', async () => {
    const { keeper, store } = await kept(900);
    await keeper.save();
    keeper.add(records);
    const { size, root } = keeper.state();
    for (const index of [0, 255, 256, 899, 900, 1499]) {
      const entry = records[index] as LogEntry;
      const found = await keeper.proveInclusion(entry.seq, size);
      expect(found?.index).toBe(index);
      const claim = { leaf: hashes.leaf(encodeEntry(entry)), index, size, root };
      expect(provesInclusion(claim, found?.proof ?? [], hashes)).toBe(true);
    }
    for (const earlier of [1, 256, 899, 900, 1024]) {
      const earlierRoot = await keeper.rootAt(earlier);
      const proof = await keeper.proveConsistency(earlier, size);
      expect(provesConsistency({ earlier, earlierRoot, size, root }, proof, hashes)).toBe(true);
    }
    expect(await keeper.proveInclusion(3, size)).toBeUndefined();
    await store.close();
  });

  it('I-7: proves all of many records for little more than their own hashes', async () => {
    let hashed = 0;
    const counting = createTreeHashes((bytes) => {
      hashed++;
      return sha256(bytes);
    });
    const opened = await openLocalJournal(folder);
    if (!opened.ok) throw new Error(opened.refusal.message);
    const keeper = await TreeKeeper.open(opened.value.tree, counting);
    keeper.add(records);
    const { size, root } = keeper.state();
    hashed = 0;
    const shared: SharedHashes = new Map();
    const proofs = await Promise.all(records.map(({ seq }) => keeper.proveInclusion(seq, size, shared)));
    expect(hashed).toBeLessThan(10 * records.length);
    for (const [index, entry] of records.entries()) {
      const claim = { leaf: hashes.leaf(encodeEntry(entry)), index, size, root };
      expect(provesInclusion(claim, proofs[index]?.proof ?? [], hashes)).toBe(true);
    }
    await opened.value.close();
  });
});
