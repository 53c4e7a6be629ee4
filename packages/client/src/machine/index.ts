/** Node only: the gateway that the guards and hooks of a machine share, and how to get into it. */

export { GUARDS_ISSUER, guardToken, signedToken } from './guard-token.js';
export { guardsFolder } from './guards-path.js';
export {
  checkAskingName,
  findSharedGateway,
  KEY_FILE,
  PORT_FILE,
  type SharedGateway,
} from './shared-gateway.js';
