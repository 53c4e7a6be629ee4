/** The client in front of the guard: its messages, and the requests that are held for it. */

export { GuardedConnection, type GuardedConnectionOptions } from './guarded-connection.js';
export {
  createProgressReporter,
  type HoldTimes,
  NO_PROGRESS,
  type ProgressReporter,
  planHold,
} from './held-request.js';
export type { CallHandlingOptions, Holding } from './holding.js';
