/** Guarded calls: their states, their waiting callers, and their proposals. */

export { type Approval, askedCall, outcomeOf } from './call-state.js';
export type { Caller } from './caller.js';
export { Docket } from './docket.js';
export { GatedCall } from './gated-call.js';
export { ParkedCallers } from './parked-callers.js';
export type { TaskInput } from './task-input.js';
