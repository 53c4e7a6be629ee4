import type { SpaceState } from '@proffer/core';
import type { StoredOperation } from '../delivery/batch.js';

/** What was decided about one message and is not acknowledged yet. */
export interface Flight {
  /** Grows with each. */
  readonly number: number;
  /** The state that it was decided on. */
  readonly before: SpaceState;
  /** How many records were known to be durable then. */
  readonly since: number;
  hasLanded: boolean;
}

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
  /** Records that became durable since the oldest flight began, or a little before. */
  #durable: StoredOperation[] = [];
  #forgotten = 0;
  #waiting: (() => void)[] = [];

  /** The oldest one. Whatever it was decided on is durable, as far as it is this process's. */
  get oldest(): Flight | undefined {
    return this.#flying[this.#first];
  }

  begin(before: SpaceState): Flight {
    const since = this.#forgotten + this.#durable.length;
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
      this.#forget(this.#durable.length);
      for (const go of this.#waiting.splice(0)) go();
      return;
    }
    if (oldest.since - this.#forgotten >= FORGET) this.#forget(oldest.since - this.#forgotten);
    if (this.#first >= FORGET) {
      this.#flying = this.#flying.slice(this.#first);
      this.#first = 0;
    }
  }

  /** A record became durable. */
  note(record: StoredOperation): void {
    if (this.oldest !== undefined) this.#durable.push(record);
  }

  /** The records that became durable since a flight began. */
  since(flight: Flight): readonly StoredOperation[] {
    return this.#durable.slice(Math.max(0, flight.since - this.#forgotten));
  }

  /** Settles when none is on its way. */
  async landed(): Promise<void> {
    if (this.oldest !== undefined) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #forget(count: number): void {
    this.#durable = this.#durable.slice(count);
    this.#forgotten += count;
  }
}
