import { lastByte, type ReadFile, readBytes, readInPieces } from '../files/index.js';
import { FRAME_START, isWhole, LONGEST_HEADER, parseHeader } from './frame.js';

/** A position without a complete frame. */
export interface Break {
  readonly offset: number;
  /** How many bytes there are, up to the last non-zero one. */
  readonly bytes: number;
  /** Where the next complete frame starts; absent if there is none. */
  readonly next?: number;
  /**
   * Whether this can be a write that was cut off: nothing was written after it, and a part of it is
   * missing. If not, it was once complete and was changed.
   */
  readonly cutOff: boolean;
  /** Whether a part of it is missing, whatever was written after it. */
  readonly torn: boolean;
  /** Whether it may have been acknowledged: its segment is of durability `process`. */
  readonly unsynced?: true;
}

/**
 * Examines a position where no complete frame was read. Returns nothing if only zeros follow, and
 * `whole` if the frame is complete by now: it was being written.
 */
export async function examineBreak(
  file: ReadFile,
  offset: number,
  to: number,
): Promise<Break | 'whole' | undefined> {
  // Looks for later frames first: then a frame that is still being written cannot appear to be
  // followed by another.
  const next = await findFrame(file, offset + 1, to);
  const end = await lastByte(file, offset, to);
  if (end === offset) return undefined;
  const bytes = end - offset;
  if (next !== undefined) {
    const again = parseHeader(await readBytes(file, offset, Math.min(LONGEST_HEADER, to - offset)));
    const isWritten = again !== undefined && offset + again.bodyEnd <= next;
    if (isWritten && isWhole(again, await readBytes(file, offset, again.bodyEnd))) return 'whole';
    const isTorn = (await readBytes(file, offset, next - offset)).includes(0);
    return { offset, bytes, next, cutOff: false, torn: isTorn };
  }
  const rest = await readBytes(file, offset, bytes);
  const header = parseHeader(rest);
  if (header !== undefined && isWhole(header, rest)) return 'whole';
  const isCutOff = isIncomplete(rest);
  return { offset, bytes, cutOff: isCutOff, torn: isCutOff || rest.subarray(0, header?.bodyEnd).includes(0) };
}

/**
 * Whether a part of a frame is missing. A frame is text without zero bytes, and it is written over
 * zeros or at the end of the file. So any part of a write that did not reach the disk, whatever its
 * size, is zeros or past the end; if neither is found, every byte was written, and some have changed
 * since.
 *
 * @param rest - from the start of the frame to the last non-zero byte
 */
function isIncomplete(rest: Buffer): boolean {
  const header = parseHeader(rest);
  // Anything after its end was written later, when all of it was on disk.
  if (header !== undefined && header.bodyEnd < rest.length) return false;
  if (rest.includes(0)) return true;
  // The first line was cut off, or it was written and can no longer be read.
  if (header === undefined) return !rest.includes('\n');
  if (header.bodyEnd === rest.length) return false;
  // More was announced than is there, unless what is there is complete and the length was changed.
  return !isWhole({ ...header, bodyEnd: rest.length }, rest);
}

/** The next position where a complete frame starts. */
async function findFrame(file: ReadFile, from: number, to: number): Promise<number | undefined> {
  // The pieces overlap, so that a frame start across two of them is found.
  for await (const { at, bytes, fresh } of readInPieces(file, { from, to, overlap: FRAME_START.length })) {
    for (
      let found = bytes.indexOf(FRAME_START);
      found !== -1;
      found = bytes.indexOf(FRAME_START, found + 1)
    ) {
      if (found >= fresh) break;
      const offset = at + found;
      const header = parseHeader(await readBytes(file, offset, Math.min(LONGEST_HEADER, to - offset)));
      if (header === undefined || offset + header.bodyEnd > to) continue;
      if (isWhole(header, await readBytes(file, offset, header.bodyEnd))) return offset;
    }
  }
  return undefined;
}
