export type { DecisionInFlight } from './append-batch.js';
export { Entity } from './entity.js';
export { flushTogether } from './flush-policy.js';
export { type Fold, LiveState } from './live-state.js';
export {
  type EntityOutcome,
  type Failed,
  type MessageOutcome,
  type Settle,
  settleWith,
} from './message-outcome.js';
export { type Rules, type SubmitOutcome, type Submitting, submit, submitLater } from './submit.js';
export { createWatch, type Watch } from './watch.js';
