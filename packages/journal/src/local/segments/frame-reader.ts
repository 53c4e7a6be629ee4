import { openToRead, READ_AHEAD, readBytes } from '../files/index.js';
import { type Break, examineBreak } from './break.js';
import { type Frame, isWhole, LONGEST_HEADER, parseHeader } from './frame.js';
import { parseSegmentHeader } from './segment-header.js';

/** Where to start reading, and how far. */
export interface Extent {
  readonly path: string;
  /** The start of a frame. */
  readonly from: number;
  /** Nothing from here on is read. Default: the end of the file. */
  readonly to?: number;
  /** Everything before this is known to have been written, so it must be there. Default 0. */
  readonly least?: number;
}

/**
 * The frames of a file in order, in bounded memory. Stops at the first position without a complete
 * frame and returns it; zeros up to the end are the end, unless something was written there. In a
 * segment of durability `process`, several writes may be cut off at once, so one may be followed by
 * others. Throws what `openToRead` does.
 */
export async function* readFrames(
  extent: Extent,
  readAhead: number = READ_AHEAD,
): AsyncGenerator<Frame, Break | undefined> {
  const file = await openToRead(extent.path);
  try {
    const { to = file.size, least = 0 } = extent;
    let offset = extent.from;
    let bytes: Buffer = Buffer.alloc(0);
    let isUnsynced = false;
    const need = async (length: number): Promise<void> => {
      if (bytes.length >= length) return;
      const wanted = Math.min(Math.max(length, readAhead), to - offset);
      if (wanted <= bytes.length) return;
      bytes = await readBytes(file, offset, wanted);
    };
    while (offset < to) {
      await need(LONGEST_HEADER);
      const header = parseHeader(bytes);
      if (header !== undefined && offset + header.bodyEnd <= to) {
        await need(header.bodyEnd);
        if (isWhole(header, bytes)) {
          const body = bytes.subarray(header.bodyStart, header.bodyEnd);
          const end = offset + header.bodyEnd;
          const frame: Frame = { kind: header.kind, number: header.number, offset, end, body };
          if (offset === 0) isUnsynced = parseSegmentHeader(frame)?.durability === 'process';
          yield frame;
          bytes = bytes.subarray(header.bodyEnd);
          offset = end;
          continue;
        }
      }
      const found = await examineBreak(file, offset, to);
      if (found === undefined) break;
      if (found !== 'whole') {
        const isCutOff = (isUnsynced ? found.torn : found.cutOff) && offset >= least;
        return { ...found, cutOff: isCutOff, ...(isUnsynced ? { unsynced: true } : {}) };
      }
      bytes = Buffer.alloc(0);
    }
    return offset < least ? { offset, bytes: 0, cutOff: false, torn: true } : undefined;
  } finally {
    await file.close();
  }
}
