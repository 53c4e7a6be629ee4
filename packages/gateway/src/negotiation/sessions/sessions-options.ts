import type { ModeLookup, PolicyLookup } from '@proffer/core/negotiation';
import type { Journal } from '@proffer/journal';

export interface SessionsOptions {
  readonly journal: Journal;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** The policies that a new session may name. */
  readonly policies: () => PolicyLookup;
  /** The registered modes that a new session may be in. */
  readonly modes: ModeLookup;
  /** How long a finished session stays in memory, in milliseconds. */
  readonly keepFor: number;
  /** An internal error occurred. */
  readonly onFault: (error: unknown) => void;
}
