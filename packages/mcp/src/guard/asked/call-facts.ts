import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';

/** What a gated call is of. Times in milliseconds since 1970. */
export interface GatedCallFacts {
  readonly id: string;
  readonly key: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly createdAt: number;
  readonly expiresAt?: number;
  /** For whom it is made, as far as that is known. */
  readonly origin?: Origin;
  /** Which round of it this is, where it is not the first: its caller was asked for more in between (2026-07-28). */
  readonly round?: number;
}
