export type * from './discovery.js';
export { endpointsOf } from './endpoints.js';
export * from './json.js';
export { NegotiationRuntime } from './negotiation-runtime.js';
export { createNegotiations } from './negotiations.js';
export { registerPolicyFiles } from './policy-files.js';
export type * from './runtime.js';
export { lifecycleEventOf } from './sessions/lifecycle-event.js';
export type { ListPage } from './sessions/list-sessions.js';
export type { ListedSession } from './sessions/session-index.js';
export type { WhatIfReport } from './what-if.js';

/** Loaded with the first negotiation: protobuf is a large part of a gateway's startup. */
export const loadSentJson = (): Promise<typeof import('./sent-json.js')> => import('./sent-json.js');
