import { crc32 } from 'node:zlib';
import { isJsonObject, type JsonValue } from '@proffer/core/json';

/**
 * How far a journal got: all of this was acknowledged, or could have been, so all of it must be
 * there. There may be more.
 */
export interface Progress {
  /** The number of the last segment; 0 before the first one. */
  readonly segment: number;
  /** How many frames and bytes the last segment has. */
  readonly frames: number;
  readonly bytes: number;
  /** The highest `seq`. Later ones are higher, even if this record is lost. */
  readonly seq: number;
  /** How many lists of removed streams there are. */
  readonly lists: number;
}

/** A journal without a record. */
export const NO_PROGRESS: Progress = { segment: 0, frames: 0, bytes: 0, seq: 0, lists: 0 };

/** One of several lines about the same journal; the highest number is the latest. */
export interface NumberedProgress {
  readonly number: number;
  readonly progress: Progress;
}

/** Formats one as a line, with a checksum of everything before it. */
export function encodeProgress({ number, progress }: NumberedProgress): string {
  const { segment, frames, bytes, seq, lists } = progress;
  const text = `{"progress":${number},"segment":${segment},"frames":${frames},"bytes":${bytes},"seq":${seq},"lists":${lists}`;
  return `${text},"crc":"${crc32(text).toString(16).padStart(8, '0')}"}`;
}

/** Parses a line; `undefined` if it is incomplete or damaged. */
export function parseProgress(line: string): NumberedProgress | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { progress: number, segment, frames, bytes, seq, lists } = value;
  const found = { number, progress: { segment, frames, bytes, seq, lists } } as NumberedProgress;
  // The checksum shows that every field is there, and is a number.
  return encodeProgress(found) === line.trimEnd() ? found : undefined;
}
