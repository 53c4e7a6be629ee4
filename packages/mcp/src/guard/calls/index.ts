/** Guarded calls: their states, their waiting callers, and their proposals. */

export { ParkedCallers } from './absent-callers.js';
export { PendingCalls } from './pending-calls.js';
export type { GatedCall } from './propose-call.js';
export { type ApprovedRound, bringsAnswers, isApproved, NOT_ASKED_FOR } from './rounds.js';
export { inputOf, type TaskInput } from './task-input.js';
