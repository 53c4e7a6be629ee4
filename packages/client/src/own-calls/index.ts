/// <reference types="node" preserve="true" />
/** Calls that their proposer runs: asked about, run once exactly as they were approved, and reported. */

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
export {
  type ApprovingRequest,
  answerApproval,
  changeDenied,
  errorToThrow,
  nobodyWaits,
  notRunError,
  notRunIn,
  outcomeLost,
  reasonNotRun,
} from './not-run.js';
export { type Edited, type OwnCallOutcome, outcomeOfAnswer, outcomeOfFailure } from './outcome.js';
export { OwnCall } from './own-call.js';
