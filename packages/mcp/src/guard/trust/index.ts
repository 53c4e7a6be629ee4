/** Pinned tool definitions, and the questions asked when a server changes one. */

export { MAX_IN_ALL, MAX_TOOLS, PinBook } from './pin-book.js';
export { createPinFile, type PinStore } from './pin-file.js';
export { ShownTools } from './shown-tools.js';
export {
  ALL_TOOLS,
  MAX_IN_ONE,
  pinDigest,
  type ReadDefinition,
  readDefinitions,
  type ServerSource,
  trustedDigest,
  trustedHints,
  UNTRUSTED,
} from './tool-pins.js';
export { ToolViews, type Viewing } from './tool-views.js';
export { TrustQuestions } from './trust-questions.js';
