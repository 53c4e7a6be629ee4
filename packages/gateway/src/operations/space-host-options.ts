import type { SpaceSettings, SpaceState } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Replay } from '../journal/index.js';
import type { StandingByName } from './surroundings.js';

export interface SpaceHostOptions {
  readonly journal: Journal;
  readonly settings: SpaceSettings;
  /** How history is read. Default on its own. */
  readonly replay?: Replay;
  /** What a snapshot knows already of that. Default nothing. */
  readonly from?: SpaceState | undefined;
  /** Called with the state when history is read, before anything else happens to it. */
  readonly onReplayed?: ((state: SpaceState) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** For how long someone who lost the connection is still counted as present, in milliseconds. */
  readonly absenceGrace: number;
  /** Somebody's absence began to count. */
  readonly onGone: (name: string) => void;
  /** What somebody may do who is not connected. Default that is not known. */
  readonly standingByName?: StandingByName;
  /** An internal error. */
  readonly onFault: (error: unknown) => void;
}
