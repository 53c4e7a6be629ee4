import type { Change } from '../../json/diff.js';
import type { JsonObject } from '../../json/json.js';

/** Other params, offered in place of the proposed ones (O-40). */
export type Counter = {
  /** The id of the message that made it. */
  readonly id: string;
  readonly by: string;
  /** The person, if the operator says who it is (O-30), and its roles at that time. */
  readonly subject?: string;
  readonly roles?: readonly string[];
  /** What it answers: the proposal, or another counter-offer. */
  readonly answers: string;
  readonly params: JsonObject;
  readonly digest: string;
  /** What it changes in the proposed params. */
  readonly amendment: readonly Change[];
  readonly reason: string;
  /** The executor, if its author names one. */
  readonly executor?: string;
  readonly at: number;
  /** `withdrawn`: its author made a newer one, or rejected the proposal. */
  readonly state: 'live' | 'accepted' | 'withdrawn';
};

/** The part of a proposal that the rules about counter-offers need. */
interface Offered {
  readonly digest: string;
  readonly params?: JsonObject | undefined;
  readonly counters: readonly Counter[];
}

/**
 * The params that an approval names by digest alone: those of a live counter-offer, else the proposed
 * ones.
 */
export function offeredParams(
  { digest: proposed, params, counters }: Offered,
  digest: unknown,
): JsonObject | undefined {
  if (counters.length === 0 || digest === proposed) return params;
  const offered = counters.find((counter) => counter.state !== 'withdrawn' && counter.digest === digest);
  return offered === undefined ? params : offered.params;
}
