export { countedCode } from './counted-code.js';
export { createNegotiationCaller } from './negotiation-caller.js';
export { createOpenCalls } from './open-calls.js';
