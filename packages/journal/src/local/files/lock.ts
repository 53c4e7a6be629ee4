import { constants, fstatSync, writeSync } from 'node:fs';
import { type JsonValue, objectOf } from '@proffer/core/json';
import { closeDescriptor, openDescriptor } from './descriptors.js';
import { identityOf, leadsTo } from './identity.js';
import type { Use } from './no-file-access.js';
import { NotAFileError, readWhole } from './read-file.js';

/** A file that belongs to this process until it is released, or the process ends. */
export interface Lock {
  /** The system's identifier of the file. */
  readonly identity: string;
  /** Whether the file's name still refers to it. If not, another process may have a file of that name. */
  isInPlace(): boolean;
  release(): Promise<void>;
}

/** The process that holds a file, if it says so. */
export interface Holder {
  readonly pid?: number;
}

/** The start of the file identifies the process that holds it. */
export const HOLDER_BYTES = 512;

const { O_RDONLY, O_RDWR, O_CREAT, O_NONBLOCK } = constants;

// One byte far past the end: on Windows no one else can read locked bytes. macOS locks whole files.
const RANGE: readonly [offset: number, length: number] =
  process.platform === 'darwin' ? [0, 0] : [2 ** 40, 1];

/**
 * Locks a file for this process; creates it if it is missing. The system holds the lock on the open
 * file, not on its name. So it ends with the process, however that ends; it moves with the file, and
 * it is still held when the name is gone. If another process holds it, returns that one.
 */
export async function lockFile(path: string): Promise<Lock | Holder> {
  const holder = pad(JSON.stringify({ pid: process.pid } satisfies Holder), HOLDER_BYTES);
  return (await tryToLock(path, { flags: O_RDWR | O_CREAT, holder })) ?? (await readHolder(path));
}

/**
 * Locks an existing file, which stays as it is. Returns nothing if another process holds it.
 * Any number of processes may hold it to `read`, and need not be allowed to write it.
 */
export function lockExisting(path: string, use: Use): Promise<Lock | undefined> {
  return tryToLock(path, use === 'read' ? { flags: O_RDONLY, shared: true } : { flags: O_RDWR });
}

interface LockOptions {
  readonly flags: number;
  /** Default false. */
  readonly shared?: boolean;
  /** Written to the start of the locked file. */
  readonly holder?: Buffer;
}

async function tryToLock(
  path: string,
  { flags, shared = false, holder }: LockOptions,
): Promise<Lock | undefined> {
  const { tryLock } = await loadLocks();
  for (;;) {
    const descriptor = await openDescriptor({ path, flags: flags | O_NONBLOCK });
    let isKept = false;
    try {
      if (!fstatSync(descriptor).isFile()) throw new NotAFileError(path, 'something else');
      if (!tryLock(descriptor, ...RANGE, { shared })) return undefined;
      const identity = identityOf(descriptor);
      // Another file may have taken the name before this one was locked.
      if (!leadsTo(path, identity)) continue;
      if (holder !== undefined) writeSync(descriptor, holder, 0, holder.length, 0);
      isKept = true;
      return {
        identity,
        isInPlace: () => leadsTo(path, identity),
        release: () => closeDescriptor(descriptor),
      };
    } finally {
      if (!isKept) await closeDescriptor(descriptor);
    }
  }
}

/** Text padded to a number of bytes, the last of them a newline. */
export function pad(text: string, bytes: number): Buffer {
  return Buffer.from(`${text.padEnd(bytes - 1)}\n`, 'latin1');
}

async function loadLocks(): Promise<typeof import('fs-native-extensions')> {
  try {
    // A native binary; only code that opens a journal needs it.
    return await import('fs-native-extensions');
  } catch (cause) {
    const { platform, arch } = process;
    throw new Error(`fs-native-extensions cannot lock files on ${platform}-${arch}`, { cause });
  }
}

/** The process that holds a file, if it says so. */
export async function readHolder(path: string): Promise<Holder> {
  try {
    const text = (await readWhole(path)).toString('latin1', 0, HOLDER_BYTES);
    const value = JSON.parse(text) as JsonValue;
    const pid = objectOf(value)['pid'];
    return typeof pid === 'number' ? { pid } : {};
  } catch {
    // The file is being written, or already gone.
    return {};
  }
}
