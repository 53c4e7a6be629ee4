/** How long something that was written may wait until it is synced, in milliseconds. */
const LATEST = 10;

/**
 * At most this much waits. A record has more than 200 bytes, so what a power cut takes is less than
 * {@link MOST_UNSYNCED} records, whatever the last batch adds.
 */
const MOST_BYTES = 4 * 1_048_576;

/** More records than a power cut can take with durability `process`: as many numbers are left out after it. */
export const MOST_UNSYNCED = 100_000;

/**
 * Syncs what was written soon after, for durability `process`. While a sync takes longer than the time
 * between two, writing waits for it: a slow disk must not make the part that a power cut takes larger.
 */
export class SyncLater {
  readonly #sync: () => Promise<void>;
  readonly #onFailed: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** Whether the next sync is due while one is running. */
  #isDue = false;
  #bytes = 0;
  /** Called when everything written so far is on disk. */
  #onSynced: (() => void) | undefined;

  /** @param onFailed - called with the disk's error: what was written may not be on disk */
  constructor(sync: () => Promise<void>, onFailed: (error: unknown) => void) {
    this.#sync = sync;
    this.#onFailed = onFailed;
  }

  /** Something was written. Of several callbacks, only the last one is called. */
  wrote(bytes: number, onSynced: () => void): void {
    this.#bytes += bytes;
    this.#onSynced = onSynced;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#running === undefined) void this.#run();
      else this.#isDue = true;
    }, LATEST);
  }

  /** Returns when more may be written. */
  async room(): Promise<void> {
    while (this.#isDue || this.#bytes >= MOST_BYTES) await (this.#running ?? this.#run());
  }

  /** Returns when everything written is on disk. Throws the disk's error. */
  async now(): Promise<void> {
    await this.#pause();
    await this.#take()();
  }

  /** Forgets what was written. Returns when no sync is running. */
  async stop(): Promise<void> {
    await this.#pause();
    this.#take();
  }

  async #pause(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isDue = false;
    await this.#running;
  }

  #run(): Promise<void> {
    this.#running = this.#syncing();
    return this.#running;
  }

  async #syncing(): Promise<void> {
    await this.#take()().catch(this.#onFailed);
    this.#running = undefined;
    if (!this.#isDue) return;
    this.#isDue = false;
    void this.#run();
  }

  /** A sync of everything written up to now. */
  #take(): () => Promise<void> {
    const onSynced = this.#onSynced;
    this.#onSynced = undefined;
    this.#bytes = 0;
    return async () => {
      await this.#sync();
      onSynced?.();
    };
  }
}
