import type { Clock } from '@proffer/client/own-calls';
import { createPace, type Pace } from '../../pace.js';

/** Questions about all tools together: a burst, then one per interval in milliseconds. */
const BURST = 100;
const EVERY = 10_000;

/**
 * Questions about one tool without a yes: a burst, then after this time, then after twice as long, up to the maximum.
 */
const BURST_OF_ONE = 3;
const SHORTEST = 10_000;
const LONGEST = 3_600_000;

/** Limits how often people are asked about a server's tools, whatever it shows. */
export class QuestionPace {
  readonly #clock: Clock;
  readonly #all: Pace;
  readonly #tools = new Map<string, { readonly count: number; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#all = createPace({ clock, burst: BURST, every: EVERY });
  }

  /** Milliseconds until there may be another question at all. */
  wait(): number {
    return this.#all.wait();
  }

  /** Milliseconds until there may be another question about this tool. */
  waitFor(tool: string): number {
    const { count, at } = this.#tools.get(tool) ?? { count: 0, at: 0 };
    if (count < BURST_OF_ONE) return 0;
    const gap = Math.min(LONGEST, SHORTEST * 2 ** (count - BURST_OF_ONE));
    return Math.max(0, at + gap - this.#clock.now());
  }

  /** A question is asked now. */
  take(tool: string): void {
    const { count } = this.#tools.get(tool) ?? { count: 0 };
    this.#all.take();
    this.#tools.set(tool, { count: count + 1, at: this.#clock.now() });
  }

  /** The last question was answered with yes. */
  forget(tool: string): void {
    this.#tools.delete(tool);
  }
}
