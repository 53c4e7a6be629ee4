import { constants, fstatSync, read } from 'node:fs';
import { closeDescriptor, openWithRetry } from './descriptors.js';

/** A file opened for reading. */
export interface ReadFile {
  /** The size of the file in bytes when it was opened. */
  readonly size: number;
  /** Reads some bytes at a position into a buffer; returns how many, 0 at the end. */
  read(bytes: Buffer, at: { readonly offset: number; readonly position: number }): Promise<number>;
  close(): Promise<void>;
}

/** The name of a file belongs to something else. */
export class NotAFileError extends Error {
  readonly path: string;

  constructor(path: string, what: string) {
    super(`${path} is ${what}, not a file`);
    this.name = 'NotAFileError';
    this.path = path;
  }
}

// Opening a pipe waits for a writer, unless told not to. Windows has no such flag: there it is
// ignored.
const { O_RDONLY, O_NONBLOCK } = constants;

/** Opens a file for reading. Throws {@link NotAFileError}, or the system's error. */
export async function openToRead(path: string): Promise<ReadFile> {
  const descriptor = await openWithRetry({ path, flags: O_RDONLY | O_NONBLOCK });
  const found = fstatSync(descriptor);
  if (!found.isFile()) {
    await closeDescriptor(descriptor);
    throw new NotAFileError(path, found.isDirectory() ? 'a folder' : found.isFIFO() ? 'a pipe' : 'a device');
  }
  return {
    size: found.size,
    read: (bytes, { offset, position }) =>
      new Promise((resolve, reject) => {
        read(descriptor, bytes, offset, bytes.length - offset, position, (error, count) =>
          error === null ? resolve(count) : reject(error),
        );
      }),
    close: () => closeDescriptor(descriptor),
  };
}

/** The whole content of a small file. Throws as {@link openToRead} does. */
export async function readWhole(path: string): Promise<Buffer> {
  const file = await openToRead(path);
  try {
    return await readBytes(file, 0, file.size);
  } finally {
    await file.close();
  }
}

/** The bytes at a position; fewer if the file ends earlier. */
export async function readBytes(file: ReadFile, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = await file.read(bytes, { offset: done, position: position + done });
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** How many bytes of a file are read at a time. */
export const READ_AHEAD = 262_144;

/** A part of a file. */
interface Piece {
  readonly at: number;
  readonly bytes: Buffer;
  /** This many of the bytes also belong to the next piece. */
  readonly fresh: number;
}

/** Reads a part of a file in bounded memory; pieces can overlap. */
export async function* readInPieces(
  file: ReadFile,
  { from, to, overlap = 0 }: { readonly from: number; readonly to: number; readonly overlap?: number },
): AsyncGenerator<Piece> {
  for (let at = from; at < to; at += READ_AHEAD) {
    const bytes = await readBytes(file, at, Math.min(READ_AHEAD + overlap, to - at));
    yield { at, bytes, fresh: READ_AHEAD };
  }
}

/** The position after the last non-zero byte; `from` if all are zero. */
export async function lastByte(file: ReadFile, from: number, to: number): Promise<number> {
  let end = from;
  for await (const { at, bytes } of readInPieces(file, { from, to })) {
    const index = bytes.findLastIndex((byte) => byte !== 0);
    if (index !== -1) end = at + index + 1;
  }
  return end;
}
