import type { SpaceState } from '@proffer/core/operations';
import type { StoredOperation } from '../delivery/index.js';

/** What was decided about one message and is not acknowledged yet. */
export interface Flight {
  /** Grows with each. */
  readonly number: number;
  /** The state that it was decided on. */
  readonly before: SpaceState;
  /** How much had come to stay by then. */
  readonly since: number;
  hasLanded: boolean;
}

/** What stays when a flight fails: a record that is durable, or what was let go from memory or brought back. */
export type Lasting = StoredOperation | ((space: SpaceState) => SpaceState);

/** So many are forgotten at once: forgetting them one by one would cost a copy each time. */
const FORGET = 1_024;

/**
 * What is on its way to the journal, and what became durable meanwhile: enough to take back one that
 * failed, with all that was decided on top of it, and to keep everything else.
 */
export class Flights {
  /** In the order in which they began; from {@link #first} on, and some of those have landed. */
  #flying: Flight[] = [];
  #first = 0;
  #count = 0;
  /** What came to stay since the oldest flight began, or a little before. */
  #lasting: Lasting[] = [];
  #forgotten = 0;
  /** Those who wait until all flights before a number have landed, the lowest first. */
  #waiting: { readonly before: number; readonly go: () => void }[] = [];

  /** The oldest one. Whatever it was decided on is durable, as far as it is this process's. */
  get oldest(): Flight | undefined {
    return this.#flying[this.#first];
  }

  begin(before: SpaceState): Flight {
    const since = this.#forgotten + this.#lasting.length;
    const flight = { number: this.#count++, before, since, hasLanded: false };
    this.#flying.push(flight);
    return flight;
  }

  end(flight: Flight): void {
    flight.hasLanded = true;
    while (this.oldest?.hasLanded === true) this.#first++;
    const { oldest } = this;
    if (oldest === undefined) {
      this.#flying = [];
      this.#first = 0;
      this.#forget(this.#lasting.length);
      this.#tellLanded(this.#count);
      return;
    }
    this.#tellLanded(oldest.number);
    if (oldest.since - this.#forgotten >= FORGET) this.#forget(oldest.since - this.#forgotten);
    if (this.#first >= FORGET) {
      this.#flying = this.#flying.slice(this.#first);
      this.#first = 0;
    }
  }

  /** A record became durable, or the state was adjusted. */
  note(lasting: Lasting): void {
    if (this.oldest !== undefined) this.#lasting.push(lasting);
  }

  /** What came to stay since a flight began, in order. */
  since(flight: Flight): readonly Lasting[] {
    return this.#lasting.slice(Math.max(0, flight.since - this.#forgotten));
  }

  /** Settles when all that are on their way now have landed. */
  async landed(): Promise<void> {
    if (this.oldest === undefined) return;
    const before = this.#count;
    await new Promise<void>((go) => this.#waiting.push({ before, go }));
  }

  #tellLanded(before: number): void {
    if (this.#waiting.length === 0) return;
    const first = this.#waiting.findIndex((waiting) => waiting.before > before);
    for (const { go } of this.#waiting.splice(0, first === -1 ? this.#waiting.length : first)) go();
  }

  #forget(count: number): void {
    this.#lasting = this.#lasting.slice(count);
    this.#forgotten += count;
  }
}
