/** A tool call as it was read, what identifies it, and whether it can be proposed. */

export type { GatedCallFacts } from './call-facts.js';
export { type CallIds, callKey, createCallIds, keyOfProposal, qualifiedName } from './call-key.js';
export { aboutConnection, clientIn, isSameOrigin, originIn } from './origin.js';
export { LARGEST_PAYLOAD, limitOnCall, limitOnProposal } from './proposal-limits.js';
export {
  asHeld,
  asIfAsked,
  asIfMadeAgain,
  asksForTask,
  createMetaNotice,
  type GuardedToolCall,
  LONGEST_NAME,
  paramsToRun,
  readToolCall,
  requestedTtl,
  taskToAskFor,
  transportMeta,
} from './tool-call.js';
