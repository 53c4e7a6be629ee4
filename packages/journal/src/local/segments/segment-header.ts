import { isJsonObject, type JsonValue } from '@proffer/core/json';
import type { Durability } from '../../journal.js';
import { JOURNAL_FORMAT, OLDER_FORMAT } from './format.js';
import { encodeFrame, type Frame } from './frame.js';

/** The content of a segment's first frame. */
export interface SegmentHeader {
  /** The version of the journal's format; 1 in those before 3. */
  readonly format: number;
  readonly segment: number;
  /** Every `seq` in this segment or after it is higher than this. */
  readonly after: number;
  /**
   * With `process`, a power cut may have taken any part of what was not synced yet, and what is known
   * to be synced is in the progress file.
   */
  readonly durability: Durability;
}

/** The first frame of a segment. */
export function encodeSegmentHeader({ format, segment, after, durability }: SegmentHeader): Buffer {
  const named = durability === 'power' ? {} : { durability };
  return encodeFrame('segment', 0, `${JSON.stringify({ format, segment, after, ...named })}\n`);
}

/** What the first frame of a segment says, if this is one. */
export function parseSegmentHeader({ kind, number, body }: Frame): SegmentHeader | undefined {
  if (kind !== 'segment' || number !== 0) return undefined;
  const value = JSON.parse(body.toString()) as JsonValue;
  if (!isJsonObject(value)) return undefined;
  const { format, segment, after, durability = 'power' } = value;
  if (format !== JOURNAL_FORMAT && format !== OLDER_FORMAT) return undefined;
  if (typeof segment !== 'number' || typeof after !== 'number') return undefined;
  if (durability !== 'power' && durability !== 'process') return undefined;
  return { format, segment, after, durability };
}
