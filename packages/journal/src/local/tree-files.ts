import { ENTRY_BYTES, type TreeRow, type TreeStore, tileBytes } from '../tree-store.js';
import { type Disk, type DiskFile, openToRead, readBytes, writeFully } from './files/index.js';
import { treePath } from './segments/index.js';

export interface TreeFilesOptions {
  readonly folder: string;
  readonly disk: Disk;
  /** Throws if the folder is no longer where it was. */
  readonly checkPlace: () => void;
}

/** The tree's files, which are opened when they are needed. */
export interface TreeFiles extends TreeStore {
  close(): Promise<void>;
}

/** Stores a tree in a journal's folder: a file for each row, in which each tile has its fixed place. */
export function createTreeFiles({ folder, disk, checkPlace }: TreeFilesOptions): TreeFiles {
  const files = new Map<TreeRow, Promise<DiskFile>>();
  const fileOf = (row: TreeRow): Promise<DiskFile> => {
    const path = treePath(folder, row);
    const opening =
      files.get(row) ??
      disk.open(path, 'note').catch((error: unknown) => {
        if (!isMissing(error)) throw error;
        return disk.open(path, 'draft');
      });
    files.set(row, opening);
    // The next one tries again.
    opening.catch(() => files.delete(row));
    return opening;
  };
  async function reading<Value>(row: TreeRow, missing: Value, use: Reading<Value>): Promise<Value> {
    try {
      const file = await openToRead(treePath(folder, row));
      try {
        return await use(file);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isMissing(error)) return missing;
      throw error;
    }
  }
  return {
    read: (row, tile) =>
      reading<Uint8Array>(row, new Uint8Array(), (file) => {
        const length = tileBytes(row);
        return readBytes(file, tile * length, length);
      }),
    async write(row, tile, bytes) {
      checkPlace();
      await writeFully(await fileOf(row), bytes, tile * tileBytes(row));
    },
    count: () => reading('entries', 0, ({ size }) => Promise.resolve(Math.floor(size / ENTRY_BYTES))),
    async sync() {
      await Promise.all([...files.values()].map(async (file) => (await file).datasync()));
      if (files.size > 0) await disk.syncFolder(folder);
    },
    async close() {
      await Promise.allSettled([...files.values()].map(async (file) => (await file).close()));
    },
  };
}

type Reading<Value> = (file: Awaited<ReturnType<typeof openToRead>>) => Promise<Value>;

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
