import type { StoredRecord } from '../../stored-record.js';

/** How many are kept; a missing one is read from its message. */
const MOST = 4_096;

/**
 * Records that were acknowledged here and have not arrived with the others yet: they need not be
 * parsed again.
 */
export class OwnRecords {
  readonly #bySeq = new Map<number, StoredRecord>();

  add(records: readonly StoredRecord[]): void {
    if (this.#bySeq.size > MOST) this.#bySeq.clear();
    for (const record of records) this.#bySeq.set(record.seq, record);
  }

  take(seq: number): StoredRecord | undefined {
    const record = this.#bySeq.get(seq);
    if (record !== undefined) this.#bySeq.delete(seq);
    return record;
  }
}
