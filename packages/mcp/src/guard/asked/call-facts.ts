import type { OwnCallFacts } from '@proffer/client/own-calls';
import type { Origin } from '@proffer/core/operations';

/** The facts of a guarded call. */
export interface GatedCallFacts extends OwnCallFacts {
  /** The same for all calls that are joined instead of asked about again. */
  readonly key: string;
  readonly tool: string;
  /** On whose behalf it is made, as far as known. */
  readonly origin?: Origin;
  /** Its round, if it is not the first: the caller was asked for more in between (2026-07-28). */
  readonly round?: number;
}
