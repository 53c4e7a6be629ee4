import { lastByte, type ReadFile, readBytes, readInPieces } from '../files/index.js';
import { FRAME_START, isWhole, LONGEST_HEADER, parseHeader } from './frame.js';

/** A place that holds no whole frame. */
export interface Break {
  readonly offset: number;
  /** How many bytes there are, up to the last that is not zero. */
  readonly bytes: number;
  /** Where, after it, a whole frame begins; absent if none does. */
  readonly next?: number;
  /**
   * Whether this can be a write that was cut off: nothing was written after it, and a part of it is
   * missing. If not, it was once whole and was changed.
   */
  readonly cutOff: boolean;
}

/**
 * Looks at a place where no whole frame was read. Nothing is returned if there is nothing up to the end,
 * and `whole` if there is a whole frame by now: it was being written.
 */
export async function examineBreak(
  file: ReadFile,
  offset: number,
  to: number,
): Promise<Break | 'whole' | undefined> {
  // What follows is looked for first: a frame that is still being written can then not seem to be followed.
  const next = await findFrame(file, offset + 1, to);
  const end = await lastByte(file, offset, to);
  if (end === offset) return undefined;
  const bytes = end - offset;
  if (next !== undefined) {
    const again = parseHeader(await readBytes(file, offset, Math.min(LONGEST_HEADER, to - offset)));
    const isWritten = again !== undefined && offset + again.bodyEnd <= next;
    if (isWritten && isWhole(again, await readBytes(file, offset, again.bodyEnd))) return 'whole';
    return { offset, bytes, next, cutOff: false };
  }
  const rest = await readBytes(file, offset, bytes);
  const header = parseHeader(rest);
  if (header !== undefined && isWhole(header, rest)) return 'whole';
  return { offset, bytes, cutOff: isIncomplete(rest) };
}

/**
 * Whether a part of a frame is missing. A frame is text without a zero byte, and it is written over zeros or at the end
 * of the file. So whatever part of a write did not reach the disk, of whatever size, is zeros or is past the end; if
 * neither is found, every byte was written, and some have changed since.
 *
 * @param rest - from where the frame begins to the last byte that is not zero
 */
function isIncomplete(rest: Buffer): boolean {
  const header = parseHeader(rest);
  // What is after its end was written later, when all of it was on the disk.
  if (header !== undefined && header.bodyEnd < rest.length) return false;
  if (rest.includes(0)) return true;
  // The first line was cut off, or it was written and can no longer be read.
  if (header === undefined) return !rest.includes('\n');
  if (header.bodyEnd === rest.length) return false;
  // More was announced than is there, unless what is there is all, and the length is what was changed.
  return !isWhole({ ...header, bodyEnd: rest.length }, rest);
}

/** The next place where a whole frame begins. */
async function findFrame(file: ReadFile, from: number, to: number): Promise<number | undefined> {
  // The pieces overlap, so that a beginning across two of them is found.
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
