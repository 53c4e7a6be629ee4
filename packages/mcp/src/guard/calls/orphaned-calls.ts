import type { Origin } from '@proffer/core/operations';
import { isSameOrigin } from '../asked/index.js';
import type { GatedCall } from './gated-call.js';

/**
 * Calls with an unknown outcome whose caller may be somebody else by now: a session over HTTP ends with the guard, or with
 * its server, and the client begins another. The same client making the same call has to hear that first (O-23).
 */
export class OrphanedCalls {
  readonly #calls = new Map<string, GatedCall>();

  /** @param key - of the call, whoever made it */
  add(key: string, call: GatedCall): void {
    this.#calls.set(key, call);
  }

  /** The call that the same client made before, if nobody has heard that its outcome is unknown. */
  find(key: string, origin: Origin | undefined): GatedCall | undefined {
    const call = this.#calls.get(key);
    if (call === undefined || !call.isOpen || call.state.isHeard) return undefined;
    return isSameOrigin(call.facts.origin, origin) ? call : undefined;
  }

  delete(key: string, call: GatedCall): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }
}
