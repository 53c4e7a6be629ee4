import type { OwnCallFacts } from '@proffer/client/own-calls';
import type { Origin } from '@proffer/core/operations';

/** The facts of a guarded call. */
export interface GatedCallFacts extends OwnCallFacts {
  /** A key that is equal for all calls that are joined instead of asked about again. */
  readonly key: string;
  readonly tool: string;
  /** On whose behalf it is made, as far as known. */
  readonly origin?: Origin;
  /** The round of the call, if it is not the first: the caller was asked for more in between (2026-07-28). */
  readonly round?: number;
}
