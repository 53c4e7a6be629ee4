import { close, constants, fdatasync, ftruncate, open, rename, unlink, write } from 'node:fs';
import { open as openFolder } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A file that the journal writes. */
export interface DiskFile {
  /**
   * Writes some of the bytes at a position; returns how many, at least one. They are on the disk when it
   * returns, except in a draft.
   */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Returns when everything written so far is on the disk. */
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Does nothing the second time. */
  close(): Promise<void>;
}

/**
 * Everything the journal does to change the disk; the one place where tests make it fail. Reading is not
 * here: what is read is checked whatever it is.
 */
export interface Disk {
  /** Opens a file for writing. `new` and `draft` create it, and then it must not exist. */
  open(path: string, how: 'new' | 'existing' | 'draft'): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes created, renamed and removed names in a folder last. */
  syncFolder(path: string): Promise<void>;
}

const calls = {
  open: promisify(open),
  write: promisify(write),
  datasync: promisify(fdatasync),
  truncate: promisify(ftruncate),
  close: promisify(close),
};

const { O_WRONLY, O_CREAT, O_EXCL, O_DSYNC } = constants;
// Where the system can do both in one call, the disk need not wait for this process between them. Only
// Linux is known to flush the drive's own cache then too.
const syncedByWrite = process.platform === 'linux';

/** The disk of this machine. */
export const realDisk: Disk = {
  async open(path, how) {
    const create = how === 'existing' ? 0 : O_CREAT | O_EXCL;
    const sync = how === 'draft' || !syncedByWrite ? 0 : O_DSYNC;
    const handle = await calls.open(path, O_WRONLY | create | sync, 0o600);
    let closing: Promise<void> | undefined;
    return {
      async write(bytes, position) {
        const { bytesWritten } = await calls.write(handle, bytes, 0, bytes.length, position);
        if (how !== 'draft' && !syncedByWrite) await calls.datasync(handle);
        return bytesWritten;
      },
      datasync: () => calls.datasync(handle),
      truncate: (length) => calls.truncate(handle, length),
      // Once only: the system gives the number of a closed file to the next one that is opened.
      close() {
        closing ??= calls.close(handle);
        return closing;
      },
    };
  },
  rename: promisify(rename),
  remove: promisify(unlink),
  async syncFolder(path) {
    // Windows has no such thing: there, names last by themselves.
    if (process.platform === 'win32') return;
    const folder = await openFolder(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
};

/** Writes all of the bytes, however many calls it takes. */
export async function writeFully(file: DiskFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const written = await file.write(done === 0 ? bytes : bytes.subarray(done), position + done);
    if (written <= 0) throw new Error('The disk took none of the bytes.');
    done += written;
  }
}

/** Writes a whole file under a name that nobody reads, then gives it its name: it is there whole or not at all. */
export async function writeWhole(
  disk: Disk,
  path: string,
  parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const draft = `${path}${DRAFT}`;
  await disk.remove(draft).catch(() => undefined);
  const file = await disk.open(draft, 'draft');
  let length = 0;
  try {
    for await (const part of parts) {
      await writeFully(file, part, length);
      length += part.length;
    }
    await file.datasync();
  } finally {
    await file.close();
  }
  await disk.rename(draft, path);
  return length;
}

/** How the name of an unfinished file ends. */
export const DRAFT = '.draft';
