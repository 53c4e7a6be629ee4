/** Pinned tool definitions, and the questions asked when a server changes one. */

export { ALL_TOOLS, type ServerSource, trustedDigest, trustedHints, UNTRUSTED } from './hints-pin.js';
export { MAX_IN_ALL, MAX_TOOLS, PinBook } from './pin-book.js';
export { createPinFile, type PinStore } from './pin-file.js';
export { MAX_IN_ONE, type ReadDefinition, readDefinitions } from './read-definition.js';
export { ShownTools } from './shown-tools.js';
export { pinDigest } from './tool-pins.js';
export { ToolViews, type Viewing } from './tool-views.js';
export { TrustQuestions } from './trust-questions.js';
