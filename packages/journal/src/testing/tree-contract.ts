import { describe, expect, it } from 'vitest';
import { ENTRY_BYTES, HASH_BYTES, TILE_WIDTH } from '../tree-store.js';
import type { OpenJournal } from './journal-contract.js';
import { useJournal } from './use-journal.js';

const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

/** The contract of `tree`. */
export function treeContract(open: OpenJournal): void {
  describe('the stored tree', () => {
    const start = useJournal(open);

    it('is empty at first', async () => {
      const { journal } = await start();
      expect(await journal.tree?.count()).toBe(0);
      expect(await journal.tree?.read(1, 0)).toHaveLength(0);
    });

    it('keeps full and partial tiles, even after a restart', async () => {
      const { journal, reopen } = await start();
      for (const tile of [0, 1, 2])
        await journal.tree?.write('entries', tile, bytes(TILE_WIDTH * ENTRY_BYTES, tile));
      await journal.tree?.write('entries', 3, bytes(2 * ENTRY_BYTES, 7));
      await journal.tree?.write('entries', 3, bytes(5 * ENTRY_BYTES, 8));
      await journal.tree?.write(2, 0, bytes(TILE_WIDTH * HASH_BYTES, 9));
      await journal.tree?.sync();
      const now = reopen === undefined ? journal : await reopen();
      expect(await now.tree?.count()).toBe(3 * TILE_WIDTH + 5);
      expect(Buffer.from((await now.tree?.read('entries', 3)) ?? [])).toEqual(
        Buffer.from(bytes(5 * ENTRY_BYTES, 8)),
      );
      expect(Buffer.from((await now.tree?.read('entries', 1)) ?? [])).toEqual(
        Buffer.from(bytes(TILE_WIDTH * ENTRY_BYTES, 1)),
      );
      expect(await now.tree?.read(2, 0)).toHaveLength(TILE_WIDTH * HASH_BYTES);
      expect(await now.tree?.read(1, 0)).toHaveLength(0);
      expect(await now.verify()).toMatchObject({ faults: [] });
    });
  });
}
