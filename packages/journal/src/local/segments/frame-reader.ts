import { open } from 'node:fs/promises';
import { READ_AHEAD, readBytes } from '../files/index.js';
import { type Break, examineBreak } from './break.js';
import { type Frame, isWhole, LONGEST_HEADER, parseHeader } from './frame.js';

/** Where to read, and how far. */
export interface Extent {
  readonly path: string;
  /** A place where a frame begins. */
  readonly from: number;
  /** Nothing from here on is looked at. */
  readonly to: number;
}

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
      const found = await examineBreak(file, offset, extent.to);
      if (found !== 'whole') return found;
      bytes = Buffer.alloc(0);
    }
    return undefined;
  } finally {
    await file.close();
  }
}
