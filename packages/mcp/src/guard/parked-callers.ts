import type { Caller, GatedCall } from './gated-call.js';

/** Callers of one connection that have an answer already and come back for the outcome: one for each call. */
export class ParkedCallers {
  readonly #parked = new Map<string, { readonly call: GatedCall; readonly caller: Caller }>();

  /** Adds a caller to a call, instead of the one that it had. */
  add(call: GatedCall, caller: Caller): void {
    this.remove(call);
    this.#parked.set(call.facts.id, { call, caller });
    call.join(caller);
  }

  remove(call: GatedCall): void {
    const parked = this.#parked.get(call.facts.id);
    if (parked === undefined) return;
    this.#parked.delete(call.facts.id);
    call.leave(parked.caller);
  }

  /** The connection is over: none of them comes back on it. */
  close(): void {
    for (const { call } of this.#parked.values()) this.remove(call);
  }
}
