export { type Counter, offeredParams } from './counter.js';
export { type Offer, offersOf } from './offers.js';
export type { CounterAccepted, Countered } from './records.js';
