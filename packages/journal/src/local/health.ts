import type { JournalEvent } from '../journal.js';
import { cannotWrite, type Unavailable } from '../outcome.js';

/** How often writing is retried while it fails, in milliseconds. */
const RETRY = 1000;

/** How often used-up descriptors are reported, in milliseconds. */
const QUIET = 10_000;

/**
 * Knows whether the journal can be written, and notifies watchers when that changes. While it cannot,
 * it probes by itself: clients that wait for it to become ready send nothing that would show it.
 */
export class Health {
  readonly #listeners = new Set<(event: JournalEvent) => void>();
  readonly #probe: (bytes: number) => Promise<void>;
  #failing = false;
  #timer: NodeJS.Timeout | undefined;
  #quietUntil = 0;

  /** @param probe - whether this many bytes can be written; throws the disk's error */
  constructor(probe: (bytes: number) => Promise<void>) {
    this.#probe = probe;
  }

  watch(listener: (event: JournalEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A batch of this many bytes could not be written. */
  failed({ refusal }: Unavailable, bytes: number): void {
    this.#tell({ type: 'write_failed', refusal });
    if (!this.#failing) this.#tell({ type: 'failing', refusal });
    this.#failing = true;
    this.#retry(bytes);
  }

  /** Something was written. */
  succeeded(): void {
    if (!this.#failing) return;
    this.#failing = false;
    this.stop();
    this.#tell({ type: 'recovered' });
  }

  /** The process has no descriptor left. */
  descriptorsUsedUp(error: Error): void {
    const now = performance.now();
    if (now < this.#quietUntil) return;
    this.#quietUntil = now + QUIET;
    this.#tell({ type: 'descriptors_used_up', refusal: cannotWrite(error).refusal });
  }

  /** Stops probing. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #retry(bytes: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#probe(bytes).then(
        () => this.succeeded(),
        () => {
          if (this.#timer === undefined) return;
          this.#timer = undefined;
          this.#retry(bytes);
        },
      );
    }, RETRY);
    this.#timer.unref();
  }

  #tell(event: JournalEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
