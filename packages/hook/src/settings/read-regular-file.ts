import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Something that is not read as a settings file. */
export class NotRegularError extends Error {
  override readonly name = 'NotRegularError';
}

/** The largest settings file that is read, in bytes. Some programs keep their history in one. */
const LARGEST = 16_777_216;

/**
 * The content of a regular file, where links lead. A repository can contain links, and a program that reads `/dev/zero` or
 * waits for a pipe never comes back.
 *
 * @throws NotRegularError if it is something else, or too large
 */
export function readRegularFile(path: string, largest: number = LARGEST): Buffer {
  const file = openRegular(path);
  try {
    const { size } = fstatSync(file);
    if (size > largest) throw new NotRegularError(`it is larger than ${largest / 1_048_576} MiB`);
    const content = Buffer.alloc(size);
    let length = 0;
    // Not until its end: someone may be writing to it.
    while (length < size) {
      const count = readSync(file, content, length, size - length, null);
      if (count === 0) break;
      length += count;
    }
    return content.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/**
 * Opens a regular file to read it.
 *
 * @throws NotRegularError if it is something else
 */
export function openRegular(path: string): number {
  // Opening a pipe would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new NotRegularError('it is not a regular file');
}

/** Changes whenever a file does; `undefined` if there is none, empty if it cannot be looked at. */
export function versionOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? undefined : `${found.ino}:${found.mtimeNs}:${found.size}`;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOTDIR' ? undefined : '';
  }
}
