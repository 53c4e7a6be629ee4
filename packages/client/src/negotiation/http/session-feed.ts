import { defined } from '@proffer/core/json';
import type { AcceptedEnvelope } from '../transport.js';

/** The queue for a slow reader: the maximum number of messages and characters (I-7). */
const MAX_WAITING = 1_000;
const MAX_CHARACTERS = 8_388_608;

/**
 * Messages of one session that arrived over a connection and are not consumed yet. A WebSocket in a
 * browser has no backpressure, so messages beyond the limit are dropped, and requested again
 * afterwards.
 */
export class SessionFeed {
  #waiting: { readonly accepted: AcceptedEnvelope; readonly size: number }[] = [];
  #size = 0;
  /** The last sequence number that was consumed. */
  #last: number;
  #isFull = false;
  #end: { readonly error?: unknown } | undefined;
  #wake = (): void => {};

  constructor(after: number) {
    this.#last = after;
  }

  /** The last sequence number that arrived and was not dropped. */
  get last(): number {
    return this.#last;
  }

  /** Adds the next message; false if it is dropped, and nothing more is wanted for now. */
  take(accepted: AcceptedEnvelope, size: number): boolean {
    // Late messages of an earlier subscription are either known or requested again.
    if (this.#isFull || accepted.sequence !== this.#last + 1) return true;
    if (this.#waiting.length >= MAX_WAITING || this.#size >= MAX_CHARACTERS) {
      this.#isFull = true;
      return false;
    }
    this.#last = accepted.sequence;
    this.#waiting.push({ accepted, size });
    this.#size += size;
    this.#wake();
    return true;
  }

  /** Nothing more will arrive; with the error, if there is one. Queued messages are still read. */
  end(error?: unknown): void {
    this.#end ??= defined({ error });
    this.#wake();
  }

  /** New messages, until the end or the signal; throws the error that ended it. */
  async *read(signal: AbortSignal, askAgain: () => void): AsyncGenerator<AcceptedEnvelope, undefined> {
    const stop = (): void => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#size = 0;
        for (const { accepted } of batch) yield accepted;
        if (batch.length > 0) continue;
        if (this.#end !== undefined) {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
        if (this.#isFull) {
          this.#isFull = false;
          askAgain();
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}
