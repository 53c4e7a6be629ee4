import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, openLocalJournal } from '@proffer/journal';
import { appended, faultyDisk, sample } from '@proffer/journal/testing';
import { createTreeMemory } from '@proffer/journal/tree';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { treeHashes } from '../node/native.js';
import { toHex } from '../notes/bytes.js';
import type { TreeState } from '../notes/checkpoint.js';
import { continueTree, endsAlike } from './continue-tree.js';

const BATCH = 130;
/** How much of the last write is on the disk. */
const SHARES = [0, 0.4, 1] as const;

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'proffer-cut-'));
});
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

async function opened(...given: Parameters<typeof openLocalJournal>) {
  const result = await openLocalJournal(...given);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

/** Appends and stores the tree in turn, as a gateway does; tells each state that could be signed by then. */
async function work(
  journal: Awaited<ReturnType<typeof opened>>,
  sign: (state: TreeState) => void,
): Promise<void> {
  const hashes = treeHashes;
  for (let round = 0; round < 4; round++) {
    const { version } = await journal.head('main/proposal/1');
    const records = Array.from({ length: BATCH }, (_, index) => sample(`${round}.${index}`));
    appended(await journal.append('main/proposal/1', version, records));
    const tree = await continueTree(journal, { store: journal.tree, size: 0, hashes });
    await tree.save();
    sign(tree.state());
  }
}

async function stateOf(journal: Journal, size?: number): Promise<string> {
  const tree = await continueTree(journal, { store: createTreeMemory(), size: 0, hashes: treeHashes });
  return toHex(await tree.rootAt(size ?? tree.size));
}

it('I-1, I-9: after a power cut at any write, the tree is that of the journal and continues what was signed', async () => {
  let cuts = 0;
  for (let stop = 0, isOver = false; !isOver; stop++) {
    for (const share of SHARES) {
      const folder = join(home, `${stop}-${share}`);
      let count = 0;
      let isCut = false;
      const disk = faultyDisk(({ kind }) => {
        if (isCut) return { share: 0, code: 'EIO' };
        if (count++ < stop) return undefined;
        isCut = true;
        return kind === 'write' ? { share, code: 'EIO' } : { code: 'EIO' };
      });
      let signed: TreeState = { size: 0, root: new Uint8Array() };
      const failed = await opened(folder, { disk }).then(
        async (journal) => {
          await work(journal, (state) => {
            signed = state;
          }).catch(() => undefined);
          // What a power cut leaves is what is in the folder now.
          await cp(folder, `${folder}-left`, {
            recursive: true,
            filter: (path) => !/socket-|\.draft$/.test(path),
          });
          await journal.close().catch(() => undefined);
          return false;
        },
        () => true,
      );
      isOver = !isCut;
      if (failed) continue;
      cuts++;
      const journal = await opened(`${folder}-left`);
      const { tree: store } = journal;
      const tree = await continueTree(journal, { store, size: signed.size, hashes: treeHashes });
      expect(toHex(tree.state().root), `cut at ${stop}`).toBe(await stateOf(journal));
      if (signed.size > 0) {
        expect(toHex(await tree.rootAt(signed.size)), `cut at ${stop}`).toBe(toHex(signed.root));
        expect(await endsAlike(journal, { store, size: signed.size })).toBe(true);
      }
      await tree.save();
      const again = await continueTree(journal, { store, size: tree.size, hashes: treeHashes });
      expect(again.state()).toEqual(tree.state());
      await journal.close();
      await rm(`${folder}-left`, { recursive: true });
      await rm(folder, { recursive: true });
    }
  }
  expect(cuts).toBeGreaterThan(30);
});
