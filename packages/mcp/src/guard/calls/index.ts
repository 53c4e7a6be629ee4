/** Guarded calls: their states, their waiting callers, and their proposals. */

export { Docket } from './docket.js';
export { ParkedCallers } from './parked-callers.js';
export type { GatedCall } from './propose-call.js';
export { inputOf, type TaskInput } from './task-input.js';
