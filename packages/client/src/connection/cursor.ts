/**
 * How far a connection has read, so that a reconnect misses nothing and nothing comes twice (I-6).
 *
 * Messages come in the order of their `seq`, with one exception: the answer to a message that is sent
 * again is the original with its own `seq`, at once, maybe before what lies between. Such a message
 * must not move the cursor; that it was seen is remembered until the cursor has passed it.
 */
export class Cursor {
  #seq: number | undefined;
  readonly #ahead = new Set<number>();

  constructor(seq?: number) {
    this.#seq = seq;
  }

  /** Everything up to here has been seen; `undefined` while not even the beginning is known. */
  get seq(): number | undefined {
    return this.#seq;
  }

  /** Begins here, unless it has begun. */
  begin(seq: number): void {
    this.#seq ??= seq;
  }

  /** Takes note of a message; false if it was seen before. */
  take(seq: number, { outOfOrder = false } = {}): boolean {
    if (this.#seq !== undefined && seq <= this.#seq) return false;
    if (outOfOrder) {
      if (this.#ahead.has(seq)) return false;
      this.#ahead.add(seq);
      return true;
    }
    this.#seq = seq;
    if (this.#ahead.size === 0) return true;
    const isNew = !this.#ahead.has(seq);
    for (const passed of this.#ahead) {
      if (passed <= seq) this.#ahead.delete(passed);
    }
    return isNew;
  }
}
