import { constants, fdatasync, fsync, ftruncate, rename, unlink, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { closeDescriptor, openDescriptor } from './descriptors.js';
import { identityOf } from './identity.js';

/** A file that the journal writes. */
export interface DiskFile {
  /**
   * Writes some of the bytes at a position; returns how many, at least one. They are on disk when it
   * returns, except in a draft or a note. The buffer is reused after that.
   */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /**
   * Writes all of the bytes at once, and only passes them to the system: they survive the end of this
   * process, but not a power cut before `datasync`. Nothing else runs meanwhile, so it is for little.
   */
  note(bytes: Uint8Array, position: number): void;
  /** Returns when everything written so far is on disk. */
  datasync(): Promise<void>;
  truncate(length: number): Promise<void>;
  /** The system's identifier of the file, whatever its name. */
  readonly identity: string;
  /** Idempotent. */
  close(): Promise<void>;
}

/** `new` and `existing` are on disk after every write; a `draft` and a `note` only after `datasync`. */
export type OpenHow = 'new' | 'existing' | 'draft' | 'note';

/**
 * Everything the journal does to change the disk; the one place where tests make it fail. Reading is
 * not here: anything read is checked anyway.
 */
export interface Disk {
  /** Opens a file for writing. `new` and `draft` create it, and then it must not exist. */
  open(path: string, how: OpenHow): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes created, renamed and removed names in a folder durable. */
  syncFolder(path: string): Promise<void>;
}

const calls = {
  write: promisify(write),
  datasync: promisify(fdatasync),
  sync: promisify(fsync),
  truncate: promisify(ftruncate),
};

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_DSYNC } = constants;
// If the system can do both in one call, the disk need not wait for this process between them. Only
// Linux is known to flush the drive's own cache then, too.
const syncedByWrite = process.platform === 'linux';

/** The disk of this machine. */
export const realDisk: Disk = {
  async open(path, how) {
    const create = how === 'new' || how === 'draft' ? O_CREAT | O_EXCL : 0;
    const isSynced = how === 'new' || how === 'existing';
    const sync = isSynced && syncedByWrite ? O_DSYNC : 0;
    const descriptor = await openDescriptor({ path, flags: O_WRONLY | create | sync });
    const identity = identityOf(descriptor);
    let closing: Promise<void> | undefined;
    return {
      identity,
      async write(bytes, position) {
        const { bytesWritten } = await calls.write(descriptor, bytes, 0, bytes.length, position);
        if (isSynced && !syncedByWrite) await calls.datasync(descriptor);
        return bytesWritten;
      },
      note(bytes, position) {
        for (let done = 0; done < bytes.length; )
          done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
      },
      datasync: () => calls.datasync(descriptor),
      truncate: (length) => calls.truncate(descriptor, length),
      // Only once: the system reuses the number of a closed file for the next one opened.
      close() {
        closing ??= closeDescriptor(descriptor);
        return closing;
      },
    };
  },
  rename: promisify(rename),
  remove: promisify(unlink),
  async syncFolder(path) {
    // Windows has no such call: names are durable by themselves there.
    if (process.platform === 'win32') return;
    const descriptor = await openDescriptor({ path, flags: O_RDONLY });
    try {
      await calls.sync(descriptor);
    } finally {
      await closeDescriptor(descriptor);
    }
  },
};

/** A disk for reading only: every change fails. */
export const readOnlyDisk: Disk = {
  open: () => Promise.reject(new OnlyReadError()),
  rename: () => Promise.reject(new OnlyReadError()),
  remove: () => Promise.reject(new OnlyReadError()),
  syncFolder: () => Promise.reject(new OnlyReadError()),
};

/** A change to what was opened for reading only. */
export class OnlyReadError extends Error {
  constructor() {
    super('it was opened for reading only');
    this.name = 'OnlyReadError';
  }
}

/** Writes all of the bytes, in as many calls as needed. */
export async function writeFully(file: DiskFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const written = await file.write(done === 0 ? bytes : bytes.subarray(done), position + done);
    if (written <= 0) throw new Error('Nothing was written to the disk.');
    done += written;
  }
}

/** Writes a whole file under a temporary name, then renames it: it exists completely or not at all. */
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

/** The suffix of unfinished files. */
export const DRAFT = '.draft';
