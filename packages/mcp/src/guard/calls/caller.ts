import type { RpcAnswer } from '../../json-rpc.js';
import type { Outcome } from '../outcomes/index.js';
import type { Approval, CallerState } from './call-state.js';

/** A caller for which a call would run, and how to reach it. */
export interface Caller extends Pick<CallerState, 'comesBack'> {
  /**
   * Runs the call for this caller as it was approved. Fails if the server goes away or does not answer.
   *
   * @param stopping - aborted when nobody wants it any more
   */
  readonly run: (approval: Approval, stopping: AbortSignal) => Promise<RpcAnswer>;
  /**
   * Called with the outcome; returns false if it can no longer reach the caller, or a promise if that is not known at
   * once. Absent for a caller that was already answered and will come back for the outcome.
   */
  readonly settle?: (outcome: Outcome) => boolean | Promise<boolean>;
  /** Called with a counter-offer. Absent for a caller that is not kept waiting. */
  readonly offered?: () => void;
}
