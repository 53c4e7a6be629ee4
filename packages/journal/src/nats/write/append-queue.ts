import type { StreamHead } from '@proffer/core/records';
import type { AppendOutcome } from '../../outcome.js';
import type { SealedAhead } from '../../stored-record.js';

/**
 * Appends of one call that wait to be written; without records it is only an answer with its place in
 * the order.
 */
export interface Waiting {
  readonly stream: string;
  readonly sealed: readonly SealedAhead[];
  /** The approximate size of the append in bytes. */
  readonly bytes: number;
  /** The answer instead of records, once everything before it in its stream is durable. */
  readonly answer?: AppendOutcome;
  readonly settle: (outcome: AppendOutcome) => void;
}

interface QueuedStream {
  /** Where the stream will end once everything queued is written. */
  head: StreamHead;
  count: number;
  isInFlight: boolean;
}

/**
 * The queue of appends, in arrival order. Only one batch per stream is in flight at a time: where the
 * next one belongs is known when that has its place.
 */
export class AppendQueue {
  readonly #streams = new Map<string, QueuedStream>();
  #queue: Waiting[] = [];

  /** The end of a stream with everything queued; `undefined` if nothing is. */
  planned(stream: string): StreamHead | undefined {
    return this.#streams.get(stream)?.head;
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0;
  }

  push(waiting: Waiting, head: StreamHead): void {
    const queued = this.#streams.get(waiting.stream);
    if (queued === undefined) this.#streams.set(waiting.stream, { head, count: 1, isInFlight: false });
    else {
      queued.head = head;
      queued.count++;
    }
    this.#queue.push(waiting);
  }

  /** Takes the next ones that can be written, up to a number of messages and bytes, or one append. */
  take(most: { readonly messages: number; readonly bytes: number }): readonly Waiting[] {
    const taken: Waiting[] = [];
    const left: Waiting[] = [];
    // Whatever comes after one that does not fit waits, too.
    const full = new Set<string>();
    let messages = 0;
    let bytes = 0;
    for (const one of this.#queue) {
      const isFirst = taken.length === 0;
      const fits =
        isFirst || (messages + one.sealed.length <= most.messages && bytes + one.bytes <= most.bytes);
      if (this.#streams.get(one.stream)?.isInFlight === true || full.has(one.stream) || !fits) {
        if (!fits) full.add(one.stream);
        left.push(one);
        continue;
      }
      taken.push(one);
      messages += one.sealed.length;
      bytes += one.bytes;
    }
    this.#queue = left;
    for (const { stream } of taken) {
      const queued = this.#streams.get(stream);
      if (queued !== undefined) queued.isInFlight = true;
    }
    return taken;
  }

  /** These are settled; the next ones of their streams may be written. */
  landed(flown: readonly Waiting[]): void {
    for (const { stream } of flown) {
      const queued = this.#streams.get(stream);
      if (queued === undefined) continue;
      queued.isInFlight = false;
      if (--queued.count === 0) this.#streams.delete(stream);
    }
  }

  /**
   * Removes what is queued for a stream whose end turned out to be different: it cannot be written as
   * it is.
   */
  takeBehind(stream: string): readonly Waiting[] {
    const behind = this.#queue.filter((one) => one.stream === stream);
    if (behind.length > 0) this.#queue = this.#queue.filter((one) => one.stream !== stream);
    return behind;
  }

  /** Removes everything that was not sent and does not wait for something that was. */
  takeUnsent(): readonly Waiting[] {
    const isUnsent = ({ stream }: Waiting): boolean => this.#streams.get(stream)?.isInFlight !== true;
    const unsent = this.#queue.filter(isUnsent);
    this.#queue = this.#queue.filter((one) => !isUnsent(one));
    return unsent;
  }
}
