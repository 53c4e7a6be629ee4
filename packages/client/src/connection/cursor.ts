/**
 * How far a connection has read, so that a reconnect misses and repeats nothing (I-6).
 *
 * Messages arrive in order of their `seq`, with one exception: the answer to a message that is sent
 * again is the original with its own `seq`, at once, perhaps before earlier ones. Such a message must
 * not move the cursor; it is remembered as seen until the cursor has passed it.
 */
export class Cursor {
  #seq: number | undefined;
  readonly #ahead = new Set<number>();

  constructor(seq?: number) {
    this.#seq = seq;
  }

  /** Everything up to here has been seen; `undefined` before the start is known. */
  get seq(): number | undefined {
    return this.#seq;
  }

  /** Starts here, unless it has already started. */
  begin(seq: number): void {
    this.#seq ??= seq;
  }

  /** Records a message; false if it was seen before. */
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
