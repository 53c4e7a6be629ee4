import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';

/** The facts of a gated call. Times in milliseconds since 1970. */
export interface GatedCallFacts {
  readonly id: string;
  readonly key: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** On whose behalf it is made, as far as known. */
  readonly origin?: Origin;
  /** Its round, if it is not the first: the caller was asked for more in between (2026-07-28). */
  readonly round?: number;
}
