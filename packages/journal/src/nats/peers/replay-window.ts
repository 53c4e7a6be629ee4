/** How many of a sender's last messages may arrive late: those of a server that failed arrive after later ones. */
const SIZE = 1_024;

/** Which messages of a sender have arrived: each counts once, and very old ones do not count any more. */
export class ReplayWindow {
  #highest = 0;
  readonly #seen = new Set<number>();

  /** Whether the message with this number is new; from then on it is not. Numbers start with 1. */
  take(count: number): boolean {
    if (!Number.isSafeInteger(count) || count <= this.#highest - SIZE || this.#seen.has(count)) return false;
    this.#seen.add(count);
    for (; this.#highest < count; this.#highest++) this.#seen.delete(this.#highest + 1 - SIZE);
    return true;
  }
}
