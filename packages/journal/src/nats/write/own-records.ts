import type { StoredRecord } from '../../stored-record.js';

/** A record that was written here, and its hashed text. */
export interface OwnRecord {
  readonly record: StoredRecord;
  readonly text: string;
}

/** How many are kept; a missing one is read from its message. */
const MAX_KEPT = 4_096;

/**
 * Records that were written here: those that the server acknowledged and that have not arrived with the others yet need
 * not be parsed again. Only those that have arrived count: an acknowledgement could be about another stream.
 */
export class OwnRecords {
  readonly #acknowledged = new Map<number, OwnRecord>();
  readonly #arrived = new Set<number>();

  /** These were acknowledged. */
  add(records: readonly OwnRecord[]): void {
    if (this.#acknowledged.size > MAX_KEPT) this.#acknowledged.clear();
    for (const own of records)
      if (!this.#arrived.has(own.record.seq)) this.#acknowledged.set(own.record.seq, own);
  }

  /** The record with this sequence, if it was acknowledged and these are its bytes. It has arrived. */
  take(seq: number, data: Uint8Array): StoredRecord | undefined {
    const own = this.#acknowledged.get(seq);
    if (own === undefined) return undefined;
    this.#acknowledged.delete(seq);
    if (!Buffer.from(own.text, 'utf8').equals(data)) return undefined;
    this.#arrived.add(seq);
    return own.record;
  }

  /** A message that was written here arrived before its acknowledgement, or the record is no longer known. */
  arrived(seq: number): void {
    if (this.#arrived.size > MAX_KEPT) this.#arrived.clear();
    this.#arrived.add(seq);
  }

  /** Whether all of these have arrived. Ask once. */
  haveArrived(seqs: readonly number[]): boolean {
    return seqs.filter((seq) => this.#arrived.delete(seq)).length === seqs.length;
  }
}
