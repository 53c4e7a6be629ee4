/** Guarded calls: their states, the callers that wait for them, and the proposals that stand for them. */

export { Docket } from './docket.js';
export { type Approval, type Caller, GatedCall } from './gated-call.js';
export type { TaskInput } from './task-input.js';
