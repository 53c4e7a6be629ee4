import { digestJson, type JsonObject } from '@proffer/core';

/** How many operations may wait for their next round; the oldest go first. */
const MOST = 1_000;

/**
 * Operations that were approved and then asked their caller for input (2026-07-28): the call that brings
 * it goes on with the same operation and needs no new approval. Each is good for one call.
 */
export class NextRounds {
  readonly #expected = new Set<string>();

  /** Remembers the operation, if its result says that it waits for input. */
  expect(tool: string, { resultType, requestState }: JsonObject): void {
    if (resultType !== 'input_required' || typeof requestState !== 'string') return;
    this.#expected.add(digestJson({ tool, requestState }));
    const [oldest] = this.#expected;
    if (this.#expected.size > MOST && oldest !== undefined) this.#expected.delete(oldest);
  }

  /** Whether a call is the next round of such an operation; true once for each. */
  take(tool: string, { requestState }: JsonObject): boolean {
    return typeof requestState === 'string' && this.#expected.delete(digestJson({ tool, requestState }));
  }
}
