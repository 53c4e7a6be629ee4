import type { OwnCallOutcome } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import { isSameOrigin } from '../call-identity.js';
import { withoutResult } from '../kept-result.js';
import type { GatedCall } from './propose-call.js';

/**
 * Calls with an unknown outcome whose caller may have another session by now: over HTTP a session ends with
 * the guard or its server, and the client starts a new one. If the same client repeats the call, it has to
 * learn that first (O-23).
 */
export class OrphanedCalls {
  readonly #calls = new Map<string, GatedCall>();

  /** @param key - of the call, independent of the caller */
  add(key: string, call: GatedCall): void {
    this.#calls.set(key, call);
  }

  /** The call that the same client made before, if it has not yet been told that the outcome is unknown. */
  find(key: string, origin: Origin | undefined): GatedCall | undefined {
    const call = this.#calls.get(key);
    if (call === undefined || !call.isOpen || call.state.isHeard) return undefined;
    return isSameOrigin(call.facts.origin, origin) ? call : undefined;
  }

  delete(key: string, call: GatedCall): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}

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
    return `${this.#inside.size} calls with ${this.#characters} characters of arguments are already waiting for a decision; the limits are ${MAX_CALLS} and ${MAX_CHARACTERS}. Wait until some are decided, or withdraw some, then call again.`;
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

export interface KnownCallsOptions {
  /** Called with one that can no longer be asked for here. */
  readonly onForgotten: (call: GatedCall) => void;
  /** Approximately how many finished calls are kept; default: 2,000. */
  readonly most?: number;
  /** Approximate total characters of their arguments and results; default: 16 Mi. */
  readonly mostCharacters?: number;
}

const MAY_HAVE_RUN: ReadonlySet<OwnCallOutcome['type']> = new Set(['unknown', 'failed', 'lost']);

/**
 * The calls of one run by their proposals: the open ones, and as many of the latest finished ones as there is
 * room for (I-7). One is dropped when its outcome was delivered or nobody came back in time, since the
 * history has it too; of others only the result is dropped, so that a repeated call still learns that it ran.
 */
export class KnownCalls {
  readonly #options: Required<KnownCallsOptions>;
  readonly #calls = new Map<string, GatedCall>();
  /** Finished calls, with their size in characters. */
  readonly #over = new Map<string, number>();
  #characters = 0;

  constructor({ onForgotten, most = 2_000, mostCharacters = 16 * 1_048_576 }: KnownCallsOptions) {
    this.#options = { onForgotten, most, mostCharacters };
  }

  get(id: string): GatedCall | undefined {
    return this.#calls.get(id);
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** How many have started without an outcome, or with an unknown one: they may have run (O-23). */
  begun(): number {
    const phases = Array.from(this.#calls.values(), ({ state }) => state.phase.type);
    return phases.filter((phase) => phase === 'running' || phase === 'unknown').length;
  }

  /** The call is not finished, even if an earlier round of it is. */
  add(call: GatedCall): void {
    this.#unweigh(call.facts.id);
    this.#calls.set(call.facts.id, call);
  }

  /**
   * This call has finished. It is kept in full; older ones make room for it. Does nothing if a later round is already
   * known.
   */
  end(call: GatedCall): void {
    const { id } = call.facts;
    if (this.#calls.get(id) !== call || this.#over.has(id)) return;
    this.#weigh(call);
    for (const older of this.#over.keys()) {
      if (older === id || !this.#isFull(1)) return;
      this.#lighten(older);
    }
  }

  #isFull(times: number): boolean {
    const { most, mostCharacters } = this.#options;
    return this.#over.size > times * most || this.#characters > times * mostCharacters;
  }

  #lighten(id: string): void {
    const call = this.#calls.get(id);
    const { outcome } = call ?? {};
    if (call === undefined || outcome === undefined || call.state.isHeard || !call.isOpen)
      return this.#forget(id);
    if (outcome.type === 'ran') {
      call.tell({ type: 'shrink', outcome: withoutResult(outcome) });
      return this.#weigh(call);
    }
    // Calls that would run a second time without a warning are kept longer than the rest.
    if (!MAY_HAVE_RUN.has(outcome.type) || this.#isFull(2)) this.#forget(id);
  }

  /** Moves it to the end. */
  #weigh({ facts, outcome }: GatedCall): void {
    this.#unweigh(facts.id);
    const characters = JSON.stringify([facts.arguments, outcome ?? null]).length;
    this.#over.set(facts.id, characters);
    this.#characters += characters;
  }

  #unweigh(id: string): void {
    this.#characters -= this.#over.get(id) ?? 0;
    this.#over.delete(id);
  }

  #forget(id: string): void {
    const call = this.#calls.get(id);
    this.#unweigh(id);
    this.#calls.delete(id);
    if (call !== undefined) this.#options.onForgotten(call);
  }
}
