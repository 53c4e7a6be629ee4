import { textFrame } from './frame.js';

/** Messages that are framed before the clock starts, all of one length, so that any run of them is one piece. */
export interface Stock {
  readonly count: number;
  /** The frames from one number up to, but not including, another. */
  frames(from: number, to: number): Buffer;
}

/** Throws where a message has another length than the first. */
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

/** Five characters that no other run of this process has; in front of them, when this process began. */
export function runName(): string {
  return `${START}${String(runs++).padStart(5, '0')}`;
}

const START = Date.now().toString(36);
