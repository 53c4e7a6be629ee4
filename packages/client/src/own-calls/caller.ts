import type { JsonObject } from '@proffer/core/json';
import type { ANSWERED_LATER } from '../serving/serve.js';
import type { CallApproval, CallerState } from './call-state.js';
import type { OwnCallOutcome } from './outcome.js';

/** How a call was answered: with a result, or with a JSON-RPC error. */
export type CallAnswer = { readonly result: JsonObject } | { readonly error: JsonObject };

/** Someone for whom an own call would run, and how to reach it. */
export interface WaitingClient extends Pick<CallerState, 'comesBack'> {
  /**
   * Runs the call for this caller as it was approved. Returns {@link ANSWERED_LATER} if its end is reported in another
   * way (O-46). Fails with {@link notRunError} if it certainly did not start; any other failure means that nobody can know
   * whether it ran.
   *
   * @param stopping - aborted when nobody wants it any more
   */
  readonly run: (
    approval: CallApproval,
    stopping: AbortSignal,
  ) => Promise<CallAnswer | typeof ANSWERED_LATER>;
  /**
   * Called with the outcome; returns false if it can no longer reach the caller, or a promise if that is not known at
   * once. Absent for a caller that was already answered and will come back for the outcome.
   */
  readonly settle?: (outcome: OwnCallOutcome) => boolean | Promise<boolean>;
  /** Called with a counter-offer. Absent for a caller that is not kept waiting. */
  readonly offered?: () => void;
}
