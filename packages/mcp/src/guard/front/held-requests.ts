import type { RpcId } from '../../json-rpc.js';

/**
 * What to do when the caller of a held request calls it off, or is gone.
 *
 * @param isUnwanted - whether it does not want it any more
 */
export type Detach = (isUnwanted: boolean) => void;

/** Lets a request go; false if it was called off before that, also if its id is another's by now. */
export type Release = () => boolean;

/** Requests of one client that are held, by id. An id may be used again once its request is called off. */
export class HeldRequests {
  readonly #held = new Map<RpcId, { readonly detach: Detach }>();

  /** Holds a request until it is released or called off. */
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

  /** Calls off a request, so that its caller is detached; false if it is not held. */
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

  /** Calls off all. */
  close(): void {
    for (const id of this.#held.keys()) this.cancel(id);
  }
}
