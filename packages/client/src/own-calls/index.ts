/// <reference types="node" preserve="true" />
/** Calls that their proposer runs: asked about, run once exactly as they were approved, and reported. */

export { type ApprovingRequest, answerApproval } from './answer-approval.js';
export {
  approvedRound,
  askedCall,
  type CallApproval,
  type CallState,
  endedCall,
  isBefore,
  isOpen,
  type OwnCallFacts,
  type Owner,
  outcomeOf,
} from './call-state.js';
export type { CallAnswer, WaitingClient } from './caller.js';
export { type Clock, SYSTEM_CLOCK } from './clock.js';
export { CALLED_OFF } from './decide.js';
export { outcomeOfAnswer, outcomeOfFailure } from './failure-outcome.js';
export {
  changeDenied,
  errorToThrow,
  nobodyWaits,
  notRunError,
  notRunIn,
  outcomeLost,
  reasonNotRun,
} from './not-run.js';

export type { Edited, OwnCallOutcome } from './outcome.js';
export { OwnCall } from './own-call.js';
