import type { Clock } from '@proffer/client/own-calls';
import type { Participant } from '@proffer/client/participation';
import type { JsonObject } from '@proffer/core/json';
import type { Origin } from '@proffer/core/operations';
import type { CallJournal, ProposalArchive } from '../recovery/index.js';

/** The caller of a call. */
export interface CallOrigin {
  /** Only callers of the same scope join a call. */
  readonly scope?: string | undefined;
  readonly origin?: Origin | undefined;
}

/** Options for the calls of one server that wait for a decision. */
export interface PendingCallsOptions {
  readonly participant: Participant;
  readonly archive: ProposalArchive;
  readonly server: string;
  /** Distinguishes the server from another of the same name. */
  readonly identity: string;
  readonly clock: Clock;
  /** How long a proposal may wait for a decision, in milliseconds. */
  readonly ttl: number;
  /** How long a call without a caller waits for one to return, in milliseconds. */
  readonly window: number;
  /** Stores what must be known about calls after this process was killed. */
  readonly journal: CallJournal;
  /** Why the rules do not allow a call as a reviewer changed it; `undefined` if they do. */
  readonly denial: (tool: string, args: JsonObject) => string | undefined;
}
