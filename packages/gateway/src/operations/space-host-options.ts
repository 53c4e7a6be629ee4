import type { SpaceSettings, SpaceState } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { Replay } from '../journal/index.js';
import type { RightsByName } from './decision-context.js';

export interface SpaceHostOptions {
  readonly journal: Journal;
  readonly settings: SpaceSettings;
  /** How history is read. Default: on its own. */
  readonly replay?: Replay;
  /** What a snapshot already contains of that. Default: nothing. */
  readonly from?: SpaceState | undefined;
  /** Called with the state when history is read, before it changes. */
  readonly onReplayed?: ((state: SpaceState) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** How long a participant that lost its connection still counts as present, in milliseconds. */
  readonly absenceGrace: number;
  /** A participant's absence started to count. */
  readonly onGone: (name: string) => void;
  /** The rights of a participant that is not connected. Default: unknown. */
  readonly rightsByName?: RightsByName;
  /** An internal error. */
  readonly onFault: (error: unknown) => void;
}
