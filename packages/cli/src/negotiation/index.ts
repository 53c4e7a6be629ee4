/** Negotiations on the command line. The rest of the command uses nothing else of them. */
export { addNegotiate } from './commands/negotiate.js';
export { sessionIds } from './session-ids.js';
