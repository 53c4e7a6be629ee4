/**
 * What every part of Proffer shares: envelopes, decisions and refusals. The rules themselves are in
 * subpaths: `/operations`, `/negotiation`, `/capability`, `/records` and `/json`.
 */
export * from './collections/versioned-map.js';
export * from './decision.js';
export * from './envelope/index.js';
export * from './hash/sha256.js';
export * from './refusal/codes.js';
export * from './refusal/refusal.js';
export type { GrpcRefusalStatus, LimitName, MacpCode, RefusalRow } from './refusal/row.js';
export { mayBeRemoved, streamsAwaitedBy } from './retention.js';
