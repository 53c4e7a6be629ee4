import type { Origin } from '@proffer/core/operations';
import { isSameOrigin } from '../asked/index.js';
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
