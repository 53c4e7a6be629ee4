import { type Change, digestJson, type JsonObject, sameJson } from '@proffer/core';

/** How many operations may wait for their next round; the oldest go first. */
const MOST = 1_000;

/** What was approved, and for whom. */
export interface Round {
  readonly tool: string;
  /** What the caller asked for, and what was approved instead, if it was changed. */
  readonly asked: JsonObject;
  readonly approved: JsonObject;
  /** Who approved it. */
  readonly by: string;
  readonly edit: readonly Change[];
  /** Whose operation it is: nobody else can go on with it. */
  readonly owner: unknown;
}

/**
 * Operations that were approved and then asked their caller for input (2026-07-28): the call that brings
 * it goes on with the same operation, with the arguments that were approved, and needs no new approval.
 * Each is good for one call.
 */
export class NextRounds {
  readonly #expected = new Map<string, Round>();

  /** Remembers the operation, if its result says that it waits for input. */
  expect(round: Round, { resultType, requestState }: JsonObject): void {
    if (resultType !== 'input_required' || typeof requestState !== 'string') return;
    this.#expected.set(digestJson({ tool: round.tool, requestState }), round);
    const [oldest] = this.#expected.keys();
    if (this.#expected.size > MOST && oldest !== undefined) this.#expected.delete(oldest);
  }

  /**
   * The operation that a call goes on with, once for each; nothing if there is none, if it is another's,
   * or if the call is for something that was neither asked for nor approved.
   */
  take(
    { tool, arguments: args, params }: { tool: string; arguments: JsonObject; params: JsonObject },
    owner: unknown,
  ): Round | undefined {
    const { requestState } = params;
    if (typeof requestState !== 'string') return undefined;
    const key = digestJson({ tool, requestState });
    const round = this.#expected.get(key);
    if (round === undefined || round.owner !== owner) return undefined;
    if (!sameJson(args, round.asked) && !sameJson(args, round.approved)) return undefined;
    this.#expected.delete(key);
    return round;
  }
}
