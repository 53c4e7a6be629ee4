/** Decides about a call before anyone is asked. Pure: time and environment are passed in. */

export { BUILT_IN, decideCall, type Grounds, type HookDecision } from './decide-call.js';
export type { Protected } from './protections.js';
export { type WatchedDecision, watchCall } from './watch-call.js';
