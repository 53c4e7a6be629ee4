/** Decides about a call before anyone is asked. Pure: time and environment are passed in. */

export { BUILT_IN, type CallDecision, decideCall, type Grounds } from './decide-call.js';
export type { Protected } from './protections.js';
export { type WatchedCall, watchCall } from './watch-call.js';
