import type { JsonObject } from '@proffer/core/json';
import type { GatedCall } from './propose-call.js';

/**
 * The maximum characters of arguments of all calls that wait for a decision or run: the guard, the connection
 * to the gateway and a gateway in the same process each keep them.
 */
const MAX_CHARACTERS = 64 * 1_048_576;

/** The maximum number of waiting and running calls. */
const MAX_CALLS = 10_000;

/** The open calls of a guard: as many as there is room for (I-7). */
export class CallLimits {
  readonly #inside = new Map<string, number>();
  #characters = 0;

  /** Why there is no room for a call with these arguments, and what to do; `undefined` if there is. */
  limitOn(args: JsonObject): string | undefined {
    const isRoom =
      this.#inside.size < MAX_CALLS && this.#characters + JSON.stringify(args).length <= MAX_CHARACTERS;
    if (isRoom) return undefined;
    return `${this.#inside.size} calls with ${this.#characters} characters of arguments are already waiting for a decision; the limits are ${MAX_CALLS} and ${MAX_CHARACTERS}. Wait until some are decided, or cancel some, then call again.`;
  }

  enter({ facts }: GatedCall): void {
    const characters = JSON.stringify(facts.arguments).length;
    this.#inside.set(facts.id, characters);
    this.#characters += characters;
  }

  leave({ facts }: GatedCall): void {
    this.#characters -= this.#inside.get(facts.id) ?? 0;
    this.#inside.delete(facts.id);
  }
}
