/** The client in front of the guard: its messages, and the requests that are held for it. */

export { withTasks } from '../discovery.js';
export type { CallHandlingOptions } from './call-handling-options.js';
export { GuardedConnection, type GuardedConnectionOptions } from './guarded-connection.js';
export { createProgressReporter, NO_PROGRESS, type ProgressReporter } from './held-request.js';
export { type HoldTimes, planHold } from './hold-plan.js';
export type { Holding } from './holding.js';
