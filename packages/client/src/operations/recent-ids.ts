/** Remembers the most recent ten thousand ids, so that nothing is done twice. */
export class RecentIdSet {
  #newer = new Set<string>();
  #older = new Set<string>();

  /** Remembers an id; false if it was already remembered. */
  add(id: string): boolean {
    if (this.#newer.has(id) || this.#older.has(id)) return false;
    this.#newer.add(id);
    if (this.#newer.size >= 10_000) {
      this.#older = this.#newer;
      this.#newer = new Set();
    }
    return true;
  }
}
