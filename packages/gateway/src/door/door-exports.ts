/** For servers in front of a gateway or beside it: who calls, with which credential, and how much a stranger may ask. */
export {
  bearerToken,
  type CallerIdentity,
  isOperatorIn,
  SUBPROTOCOL,
  SUBPROTOCOL_TOKEN_PREFIX,
} from './auth/index.js';
export { createStrangers, type StrangerLimits, type Strangers } from './limits/index.js';
