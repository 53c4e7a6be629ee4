export { type ActiveSenders, createActiveSenders } from './active-senders.js';
export { type BadMessageCounter, createBadMessageCounter, createBadMessageCounters } from './bad-messages.js';
export {
  type ConnectionLimiter,
  createConnectionLimiter,
  createTally,
  type ReleaseConnection,
  type Tally,
} from './connections.js';
export { connectionBudget, limitConnections } from './open-files.js';
export { createRateLimiter, type RateLimiter } from './rate-limiter.js';
export { createStrangers, STRANGER_BYTES, type StrangerLimits, type Strangers } from './strangers.js';
