/** Node only: the gateway that a machine's guards and hooks share, and how to connect to it. */

export { readIfThere, replaceFile } from './private-files.js';
export {
  type NotedGateway,
  notedGateways,
  noteGateway,
  noteGuard,
  parentOf,
  type RunningGuard,
  runningGuards,
} from './process-notes.js';
export {
  checkAskingName,
  findSharedGateway,
  GUARDS_ISSUER,
  guardsFolder,
  guardToken,
  KEY_FILE,
  PORT_FILE,
  type SharedGateway,
  signedToken,
} from './shared-gateway.js';
export { startWatching, stopWatching, watchingSince } from './watching.js';
