export { createAllowance } from './allowance.js';
export { createBudget } from './budget.js';
export { createCall, frame, type GrpcCall } from './call.js';
export { createCallThrottle } from './call-throttle.js';
export { GrpcInput } from './incoming.js';
export { listenOn } from './listener.js';
export { createMessageReader, ENCODINGS, type Encoding, PREFIX } from './message-reader.js';
export {
  asParty,
  type GrpcCaller,
  type GrpcRoute,
  type Receiver,
  readAttempt,
  readOne,
  unary,
  unaryForAll,
} from './route.js';
export { timeoutOf } from './timeout.js';
export { type Unfinished, watchUnfinished } from './unfinished.js';
export { createUnreadByToken } from './unread.js';
