import type { StreamEntry } from '../streams/index.js';
import { type MessageHead, type ReadMessage, readableRecord } from './message.js';

/** The end of a stream that has nothing. */
export const NO_RECORDS: MessageHead = {
  version: 0,
  hash: '',
  seq: 0,
  removed: 0,
  recordSeq: 0,
  isMark: false,
};

/**
 * Whether a message counts: it follows the last one of its stream that does. The server enforces that with
 * expectations, and may fail to when its leader changes; then the second message is void, and so is what was written
 * after it.
 *
 * @param prev - the hash of the record before it, of a record
 */
export function follows(known: StreamEntry, head: MessageHead, prev: string | undefined): boolean {
  // A mark replaces the records before it, wherever a copy begins.
  if (head.isMark) return head.version >= known.version;
  return head.version === known.version + 1 && (prev === undefined || prev === known.hash);
}

/** Goes along the messages of one stream, in order, and tells which of them count. */
export class Chain {
  #end: MessageHead;
  /** The hashes of records that count for nothing. */
  readonly #voids = new Set<string>();

  /** @param end - the last that counts before those that come */
  constructor(end: MessageHead = NO_RECORDS) {
    this.#end = end;
  }

  /** The last that counts. */
  get end(): MessageHead {
    return this.#end;
  }

  /**
   * Takes the next message. `void` only with proof: its place is taken, its predecessor is not the one before its
   * place, or its predecessor is void. `apart` is one that does not follow for another reason, such as records that are
   * missing.
   */
  take(message: ReadMessage, head: MessageHead): 'counts' | 'void' | 'apart' {
    const prev = head.isMark ? undefined : readableRecord(message)?.prev;
    if (follows(this.#end, head, prev)) {
      this.#end = head;
      return 'counts';
    }
    // One that has the next version and does not follow has another predecessor than the last valid record.
    const isProven = head.version <= this.#end.version + 1 || (prev !== undefined && this.#voids.has(prev));
    if (!isProven || head.isMark) return 'apart';
    this.#voids.add(head.hash);
    return 'void';
  }
}
