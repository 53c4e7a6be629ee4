import type { Clock } from '../../clock.js';
import type { GatedCall } from './gated-call.js';

/** How long after its time a proposal may still be said to have expired by the gateway, in milliseconds. */
const SLACK = 10_000;

/** When calls end by themselves: a gateway that does not say that the time is over keeps nobody waiting for ever (O-19). */
export class Deadlines {
  readonly #clock: Clock;
  /** How to call off what ends a call, by proposal. */
  readonly #stops = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param onOver - its time is over, and it neither ended nor runs */
  set(call: GatedCall, onOver: () => void): void {
    const { id, expiresAt } = call.facts;
    if (expiresAt === undefined) return;
    const stop = this.#clock.after(Math.max(0, expiresAt - this.#clock.now()) + SLACK, () => {
      if (call.outcome === undefined && !call.isRunning) onOver();
    });
    this.#stops.set(id, stop);
  }

  clear({ facts }: GatedCall): void {
    this.#stops.get(facts.id)?.();
    this.#stops.delete(facts.id);
  }
}
