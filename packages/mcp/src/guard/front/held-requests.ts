import type { RpcId } from '../../json-rpc.js';

/**
 * What to do when the caller of a held request cancels it, or is gone.
 *
 * @param isUnwanted - whether it no longer wants it
 */
export type Detach = (isUnwanted: boolean) => void;

/** Releases a request; false if it was cancelled before that, even if its id is in use again. */
export type Release = () => boolean;

/** Held requests of one client, by id. An id may be reused once its request is cancelled. */
export class HeldRequests {
  readonly #held = new Map<RpcId, { readonly detach: Detach }>();

  /** Holds a request until it is released or cancelled. */
  hold(id: RpcId, detach: Detach = () => {}): Release {
    const own = { detach };
    this.#held.set(id, own);
    return () => this.#held.get(id) === own && this.#held.delete(id);
  }

  get size(): number {
    return this.#held.size;
  }

  has(id: RpcId): boolean {
    return this.#held.has(id);
  }

  /** Cancels a request, so that its caller is detached; false if it is not held. */
  cancel(id: RpcId, isUnwanted = false): boolean {
    const held = this.#held.get(id);
    this.#held.delete(id);
    held?.detach(isUnwanted);
    return held !== undefined;
  }

  /** The ids of all. */
  ids(): readonly RpcId[] {
    return [...this.#held.keys()];
  }

  /** Cancels all. */
  close(): void {
    for (const id of this.#held.keys()) this.cancel(id);
  }
}
