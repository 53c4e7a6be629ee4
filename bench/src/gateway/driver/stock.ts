import { textFrame } from './frame.js';

/**
 * Messages framed before the clock starts, all of the same length, so that any range of them is one slice.
 */
export interface Stock {
  readonly count: number;
  /** The frames from `from` up to, but not including, `to`. */
  frames(from: number, to: number): Buffer;
}

/** Throws if a message differs in length from the first. */
export function createStock(count: number, textOf: (number: number) => string): Stock {
  const { length } = textFrame(textOf(0), 'to server');
  const bytes = Buffer.allocUnsafe(count * length);
  for (let number = 0; number < count; number++) {
    const frame = textFrame(textOf(number), 'to server');
    if (frame.length !== length) throw new Error(`message ${number} has another length than the first`);
    frame.copy(bytes, number * length);
  }
  return { count, frames: (from, to) => bytes.subarray(from * length, to * length) };
}

let runs = 0;

/**
 * Five characters that are unique among the runs of this process, prefixed with the start time of the
 * process.
 */
export function runName(): string {
  return `${START}${String(runs++).padStart(5, '0')}`;
}

const START = Date.now().toString(36);
