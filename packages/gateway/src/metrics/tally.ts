import type { Counter } from 'prom-client';

/** One count of a labelled counter, as a plain number: a counter looks up its labels each time. */
export class Tally {
  #count = 0;

  add(): void {
    this.#count++;
  }

  /** Returns and resets the count. */
  take(): number {
    const count = this.#count;
    this.#count = 0;
    return count;
  }
}

/** The outcomes of a message. */
const OUTCOMES = ['accepted', 'duplicate', 'late', 'refused'] as const;

/** Messages of one transport, by outcome. */
export type MessageTallies = Readonly<Record<(typeof OUTCOMES)[number], Tally>>;

/** The tallies of a counter, created on first use and added to it when it is read. */
export class Tallies {
  readonly #counter: Counter<'transport' | 'outcome'>;
  readonly #byTransport = new Map<string, MessageTallies>();

  constructor(counter: Counter<'transport' | 'outcome'>) {
    this.#counter = counter;
  }

  of(transport: string): MessageTallies {
    const known = this.#byTransport.get(transport);
    if (known !== undefined) return known;
    const made = { accepted: new Tally(), duplicate: new Tally(), late: new Tally(), refused: new Tally() };
    this.#byTransport.set(transport, made);
    return made;
  }

  handOver(): void {
    for (const [transport, tallies] of this.#byTransport) {
      for (const outcome of OUTCOMES) {
        const count = tallies[outcome].take();
        if (count > 0) this.#counter.inc({ transport, outcome }, count);
      }
    }
  }
}
