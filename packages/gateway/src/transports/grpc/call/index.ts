export { createAllowance } from './allowance.js';
export { createBudget } from './budget.js';
export { type Call, createCall, frame } from './call.js';
export { Incoming } from './incoming.js';
export { listenOn } from './listener.js';
export { createMessageReader, ENCODINGS, type Encoding, PREFIX } from './message-reader.js';
export { createCallReading } from './reading.js';
export {
  asParty,
  type Caller,
  type Receiver,
  type Route,
  readAttempt,
  readOne,
  unary,
  unaryForAll,
} from './route.js';
export { timeoutOf } from './timeout.js';
export { type Unfinished, watchUnfinished } from './unfinished.js';
export { createUnreadByToken } from './unread.js';
