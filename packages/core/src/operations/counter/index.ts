export {
  type Counter,
  type CounterAccepted,
  type Countered,
  type Offer,
  offeredParams,
  offersOf,
} from './counter.js';
