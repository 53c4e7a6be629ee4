import { type FileHandle, open } from 'node:fs/promises';
import { FRAME_START, type Frame, isWhole, LONGEST_HEADER, parseHeader } from './frame.js';

/** Where to read, and how far. */
export interface Extent {
  readonly path: string;
  /** A place where a frame begins. */
  readonly from: number;
  /** Nothing from here on is looked at. */
  readonly to: number;
}

/** A place that holds no whole frame. */
export interface Break {
  readonly offset: number;
  /** Where, after it, a whole frame begins; absent if none does. */
  readonly next?: number;
  /** Whether there are bytes after what the broken frame says is its end: something was written later. */
  readonly followed: boolean;
}

const READ_AHEAD = 262_144;

/**
 * The frames of a file, one after another, in bounded memory. Stops at the first place that holds no
 * whole frame and returns it; zeros up to the end are the end.
 */
export async function* readFrames(
  extent: Extent,
  readAhead: number = READ_AHEAD,
): AsyncGenerator<Frame, Break | undefined> {
  const file = await open(extent.path, 'r');
  try {
    let offset = extent.from;
    let bytes: Buffer = Buffer.alloc(0);
    const need = async (length: number): Promise<void> => {
      if (bytes.length >= length) return;
      const wanted = Math.min(Math.max(length, readAhead), extent.to - offset);
      if (wanted <= bytes.length) return;
      bytes = await readBytes(file, offset, wanted);
    };
    while (offset < extent.to) {
      await need(LONGEST_HEADER);
      const header = parseHeader(bytes);
      if (header !== undefined && offset + header.bodyEnd <= extent.to) {
        await need(header.bodyEnd);
        if (isWhole(header, bytes)) {
          const body = bytes.subarray(header.bodyStart, header.bodyEnd);
          const end = offset + header.bodyEnd;
          yield { kind: header.kind, number: header.number, offset, end, body };
          bytes = bytes.subarray(header.bodyEnd);
          offset = end;
          continue;
        }
      }
      if (await isZero(file, offset, extent.to)) return undefined;
      const declaredEnd = header === undefined ? extent.to : Math.min(extent.to, offset + header.bodyEnd);
      const followed = !(await isZero(file, declaredEnd, extent.to));
      const next = await findFrame(file, offset + 1, extent.to);
      return { offset, followed, ...(next === undefined ? {} : { next }) };
    }
    return undefined;
  } finally {
    await file.close();
  }
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

async function isZero(file: FileHandle, from: number, to: number): Promise<boolean> {
  for (let at = from; at < to; at += READ_AHEAD) {
    const bytes = await readBytes(file, at, Math.min(READ_AHEAD, to - at));
    if (bytes.some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** The next place where a whole frame begins. */
async function findFrame(file: FileHandle, from: number, to: number): Promise<number | undefined> {
  for (let at = from; at < to; at += READ_AHEAD) {
    // The pieces overlap, so that a beginning across two of them is found.
    const bytes = await readBytes(file, at, Math.min(READ_AHEAD + FRAME_START.length, to - at));
    for (
      let found = bytes.indexOf(FRAME_START);
      found !== -1;
      found = bytes.indexOf(FRAME_START, found + 1)
    ) {
      if (found >= READ_AHEAD) break;
      const offset = at + found;
      const header = parseHeader(await readBytes(file, offset, Math.min(LONGEST_HEADER, to - offset)));
      if (header === undefined || offset + header.bodyEnd > to) continue;
      if (isWhole(header, await readBytes(file, offset, header.bodyEnd))) return offset;
    }
  }
  return undefined;
}
