import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';

/** The maximum length of a message over stdio, in bytes. */
export const MAX_LINE_LENGTH = 512 * 1_048_576;

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines. Each byte is scanned once, however many pieces a line arrives in. Throws a
 * RangeError for a line over {@link MAX_LINE_LENGTH}.
 */
export function createLineSplitter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      const piece = chunk.subarray(start, end);
      const line =
        parts.length === 0 ? piece.toString('utf8') : Buffer.concat([...parts, piece]).toString('utf8');
      parts = [];
      size = 0;
      start = end + 1;
      onLine(line);
    }
    if (start === chunk.length) return;
    parts.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > MAX_LINE_LENGTH) throw new RangeError(`A message is longer than ${MAX_LINE_LENGTH} bytes.`);
  };
}

/** A message in a line, and the line itself if it contains nothing else. */
export interface LineMessage {
  readonly message: JsonObject;
  readonly text?: string;
}

/**
 * The messages in a line: one, or those of a batch (2025-03-26), one by one. None if it is not JSON, which
 * some servers print by mistake.
 */
export function readLine(line: string): readonly LineMessage[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  if (isJsonArray(value)) return value.filter(isJsonObject).map((message) => ({ message }));
  return isJsonObject(value) ? [{ message: value, text: line }] : [];
}
