import type { StreamEntry } from '../../streams/stream-table.js';
import type { Entry } from '../authenticity/authentic-message.js';
import { type MessageHead, readableRecord } from '../messages/message.js';

/** The end of an empty stream. */
export const NO_RECORDS: MessageHead = {
  version: 0,
  hash: '',
  seq: 0,
  removed: 0,
  recordSeq: 0,
  isMark: false,
};

/**
 * Whether a message is valid: it follows the last valid one of its stream. The server enforces that
 * with expectations, and may fail to when its leader changes; then the second message is void, and so
 * is everything written after it.
 *
 * @param prev - for a record, the hash of the record before it
 */
export function follows(known: StreamEntry, head: MessageHead, prev: string | undefined): boolean {
  // A mark replaces the records before it, wherever a copy starts.
  if (head.isMark) return head.version >= known.version;
  return head.version === known.version + 1 && (prev === undefined || prev === known.hash);
}

/** Walks the messages of one stream, in order, and determines which of them are valid. */
export class Chain {
  #end: MessageHead;
  /** The hashes of void records. */
  readonly #voids = new Set<string>();

  /** @param end - the last valid message before the first one */
  constructor(end: MessageHead = NO_RECORDS) {
    this.#end = end;
  }

  /** The last valid message. */
  get end(): MessageHead {
    return this.#end;
  }

  /**
   * Adds the next message. `void` only with proof: its version is taken, its predecessor is not the
   * record before that version, or its predecessor is void. `apart` is one that does not follow for
   * another reason, such as missing records.
   */
  take(entry: Entry): 'counts' | 'void' | 'apart' {
    const { head } = entry;
    const prev = head.isMark ? undefined : readableRecord(entry, head)?.prev;
    if (follows(this.#end, head, prev)) {
      this.#end = head;
      return 'counts';
    }
    // A message with the next version that does not follow has another predecessor than the last valid
    // record.
    const isProven = head.version <= this.#end.version + 1 || (prev !== undefined && this.#voids.has(prev));
    if (!isProven || head.isMark) return 'apart';
    this.#voids.add(head.hash);
    return 'void';
  }
}
