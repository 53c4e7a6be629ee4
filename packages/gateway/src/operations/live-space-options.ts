import type { SpaceSettings, SpaceState } from '@proffer/core/operations';
import type { Journal } from '@proffer/journal';
import type { StoredOperation } from '../delivery/index.js';
import type { Replay } from '../journal/index.js';
import type { SpacePeers } from '../peers/index.js';
import type { RightsByName } from './decision-context.js';

export interface LiveSpaceOptions {
  readonly journal: Journal;
  readonly settings: SpaceSettings;
  readonly replay: Replay;
  /** What a snapshot already contains of the history. Default: nothing. */
  readonly from?: SpaceState | undefined;
  /** Called with the state when history is read, before it changes. */
  readonly onReplayed?: ((state: SpaceState) => void) | undefined;
  readonly clock: () => number;
  readonly rightsByName: RightsByName;
  /** The other gateways, if there are some. */
  readonly peers?: SpacePeers | undefined;
  readonly absenceGrace: number;
  readonly maxUnread: number;
  readonly onRecords: (records: readonly StoredOperation[]) => void;
  readonly onFellBehind: () => void;
  /** An internal error. */
  readonly onFault: (error: unknown) => void;
  /** The journal's feed broke: nothing can be delivered any more. */
  readonly onBroken: (error: unknown) => void;
}
