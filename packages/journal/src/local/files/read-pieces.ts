import { type ReadFile, readBytes } from './read-file.js';

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
