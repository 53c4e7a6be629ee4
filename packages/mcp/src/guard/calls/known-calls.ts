import { type OwnCallOutcome } from '@proffer/client/own-calls';
import { withoutResult } from '../outcomes/index.js';
import type { GatedCall } from './propose-call.js';

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
