export { leaveWithOthers } from './departures.js';
export { Entity } from './entity.js';
export { LiveSpace } from './live-space.js';
export { createUnderWay } from './under-way.js';
export { type Failed, type Settle, settleWith, type Verdict } from './verdict.js';
export { createWatch, type Watch } from './watch.js';
