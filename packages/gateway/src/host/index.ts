export { Entity } from './entity.js';
export { flushTogether } from './flush-policy.js';
export { type Fold, LiveState } from './live-state.js';
export { type Outcome, type Rules, submit, submitLater } from './submit.js';
export { type Failed, type MessageOutcome, type Settle, settleWith, type Verdict } from './verdict.js';
export { createWatch, type Watch } from './watch.js';
export type { Decided } from './wave.js';
