import type { RpcAnswer } from '../../json-rpc.js';
import type { Outcome } from '../outcomes/index.js';
import type { Approval, CallerState } from './call-state.js';

/** Somebody for whom a call would run, and how to reach them. */
export interface Caller extends Pick<CallerState, 'comesBack'> {
  /**
   * Runs the call for this caller as it was approved. Fails if the server goes away or does not answer.
   *
   * @param stopping - aborted when nobody wants it any more
   */
  readonly run: (approval: Approval, stopping: AbortSignal) => Promise<RpcAnswer>;
  /**
   * Hears the outcome; false if that cannot reach the caller any more, a promise where that is not known at once.
   * Absent for a caller that has an answer already and comes back for the outcome.
   */
  readonly settle?: (outcome: Outcome) => boolean | Promise<boolean>;
  /** Hears that somebody offers to approve something else. Absent for one that is not kept waiting. */
  readonly offered?: () => void;
}
