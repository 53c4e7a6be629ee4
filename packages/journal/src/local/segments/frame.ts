import { crc32 } from 'node:zlib';

/**
 * The kinds of frames in a segment. `segment` comes first and identifies it; `batch` is one group
 * commit; `mark` follows the last batch and shows that it was complete (a clean end).
 */
export type FrameKind = 'segment' | 'batch' | 'mark';

/** A part of a file that was written at once: a header line, then its body. */
export interface Frame {
  readonly kind: FrameKind;
  /** 0 for the first frame of a file, then counting up. */
  readonly number: number;
  /** The offset of the frame in the file, in bytes. */
  readonly offset: number;
  /** The offset of the next one. */
  readonly end: number;
  readonly body: Buffer;
}

/** The maximum length of the header line. */
export const LONGEST_HEADER = 120;

const HEADER =
  /^\{"frame":"(segment|batch|mark)","number":(\d{1,15}),"bytes":(\d{1,12}),"crc":"([0-9a-f]{8})"\}\n/;

/** The prefix of every frame; no line of a body has it. */
export const FRAME_START = '{"frame":"';

export function encodeFrame(kind: FrameKind, number: number, body: string): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(encodeHeader(kind, number, bytes)), bytes]);
}

/** The header line of a frame. */
export function encodeHeader(kind: FrameKind, number: number, body: Uint8Array): string {
  const crc = checksum(kind, number, body);
  return `{"frame":"${kind}","number":${number},"bytes":${body.length},"crc":"${crc}"}\n`;
}

/** The content of the header line. */
export interface FrameHeader {
  readonly kind: FrameKind;
  readonly number: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  readonly crc: string;
}

/** Parses the header line at the start of the bytes; `undefined` if there is none. */
export function parseHeader(bytes: Buffer): FrameHeader | undefined {
  const match = HEADER.exec(bytes.toString('latin1', 0, LONGEST_HEADER));
  if (match === null) return undefined;
  const [line, kind, number, length, crc = ''] = match;
  const bodyStart = line.length;
  return {
    kind: kind as FrameKind,
    number: Number(number),
    bodyStart,
    bodyEnd: bodyStart + Number(length),
    crc,
  };
}

/** Whether the bytes, which start with the header line, contain the body it describes. */
export function isWhole(header: FrameHeader, bytes: Buffer): boolean {
  if (bytes.length < header.bodyEnd) return false;
  const body = bytes.subarray(header.bodyStart, header.bodyEnd);
  return checksum(header.kind, header.number, body) === header.crc;
}

/** Covers the kind and number, too, so that a misplaced block is not accepted. */
function checksum(kind: FrameKind, number: number, body: Uint8Array): string {
  return crc32(body, crc32(`${kind} ${number}`))
    .toString(16)
    .padStart(8, '0');
}
