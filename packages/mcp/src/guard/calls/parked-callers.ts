import type { WaitingClient } from '@proffer/client/own-calls';
import type { GatedCall } from './propose-call.js';

interface Parked {
  readonly caller: WaitingClient;
  readonly reference: WeakRef<GatedCall>;
}

/**
 * Callers that were answered and will come back for the outcome, of one connection or of all clients without
 * sessions: one per call. They do not keep an otherwise unreferenced call in memory (I-7).
 */
export class ParkedCallers {
  readonly #parked = new WeakMap<GatedCall, Parked>();
  readonly #references = new Set<WeakRef<GatedCall>>();
  readonly #collected = new FinalizationRegistry<WeakRef<GatedCall>>((reference) =>
    this.#references.delete(reference),
  );

  /** Adds a caller to a call, replacing the one it had. */
  add(call: GatedCall, caller: WaitingClient): void {
    this.remove(call);
    const reference = new WeakRef(call);
    this.#parked.set(call, { caller, reference });
    this.#references.add(reference);
    this.#collected.register(call, reference, reference);
    call.join(caller);
  }

  remove(call: GatedCall): void {
    const parked = this.#parked.get(call);
    if (parked === undefined) return;
    this.#parked.delete(call);
    this.#references.delete(parked.reference);
    this.#collected.unregister(parked.reference);
    call.leave(parked.caller);
  }

  /** The connection has ended: none of them can come back on it. */
  close(): void {
    for (const reference of this.#references) {
      const call = reference.deref();
      if (call !== undefined) this.remove(call);
    }
  }
}
