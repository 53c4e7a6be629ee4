/** Node only: the gateway that a machine's guards and hooks share, and how to connect to it. */

export { GUARDS_ISSUER, guardToken, signedToken } from './guard-token.js';
export { guardsFolder } from './guards-path.js';
export { type NotedGateway, notedGateways, noteGateway } from './noted-gateways.js';
export { noteGuard, parentOf, type RunningGuard, runningGuards } from './running-guards.js';
export {
  checkAskingName,
  findSharedGateway,
  KEY_FILE,
  PORT_FILE,
  type SharedGateway,
} from './shared-gateway.js';
export { startWatching, stopWatching, watchingSince } from './watching.js';
