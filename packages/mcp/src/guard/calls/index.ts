/** Guarded calls: their states, their waiting callers, and their proposals. */

export { ParkedCallers } from './parked-callers.js';
export { PendingCalls } from './pending-calls.js';
export type { GatedCall } from './propose-call.js';
export { inputOf, type TaskInput } from './task-input.js';
