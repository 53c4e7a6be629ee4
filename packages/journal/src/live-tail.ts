import type { StoredRecord } from './stored-record.js';

/** How much recent data is kept for followers. */
export interface TailLimits {
  readonly records: number;
  /** Counted as the records' size on disk. */
  readonly bytes: number;
}

/**
 * Only a moment's worth: followers have read a batch before the next one is durable, and data dropped
 * this early never costs the garbage collector a copy. Slower ones read from disk.
 */
export const DEFAULT_TAIL_LIMITS: TailLimits = { records: 32, bytes: 1_048_576 };

/**
 * The newest records of one space, shared by all its feeds: the last batch, and as much of earlier
 * ones as the limits allow. A feed that falls behind loses its place and reads history again, so
 * memory is bounded whatever the consumers do (I-7).
 */
export class LiveTail {
  /** Every record of the space after this `seq` is here. */
  #floor: number;
  #records: StoredRecord[] = [];
  #sizes: number[] = [];
  #first = 0;
  #bytes = 0;
  #isBatchOpen = false;
  #waiting: (() => void)[] = [];
  readonly #limits: TailLimits;

  constructor(floor: number, limits: TailLimits) {
    this.#floor = floor;
    this.#limits = limits;
  }

  /** Adds a durable record. Waiters are notified of it, and of the rest of its batch, by {@link wake}. */
  push(record: StoredRecord, size: number): void {
    if (!this.#isBatchOpen) this.#makeRoom();
    this.#isBatchOpen = true;
    this.#records.push(record);
    this.#sizes.push(size);
    this.#bytes += size;
  }

  /** Only between two batches: followers get a whole batch from here, however large it is. */
  #makeRoom(): void {
    while (this.#records.length - this.#first > this.#limits.records || this.#bytes > this.#limits.bytes) {
      const oldest = this.#records[this.#first];
      if (oldest === undefined) break;
      this.#floor = oldest.seq;
      this.#bytes -= this.#sizes[this.#first] ?? 0;
      this.#first++;
    }
    // Trimming the front only now and then keeps the cost of each push constant.
    if (this.#first * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#first);
      this.#sizes = this.#sizes.slice(this.#first);
      this.#first = 0;
    }
  }

  /** Everything after a `seq`, or nothing if part of it is no longer here. */
  after(seq: number): readonly StoredRecord[] | undefined {
    if (seq < this.#floor) return undefined;
    let low = this.#first;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#records[middle]?.seq ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return this.#records.slice(low, low + MAX_AT_ONCE);
  }

  /** Wakes all waiters: there is more, or one of them, or the journal, is closing. */
  wake(): void {
    this.#isBatchOpen = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  /** Settles with {@link wake}. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

const MAX_AT_ONCE = 256;
