export { countedCode } from './counted-code.js';
export { createOpenCalls } from './open-calls.js';
export { createParty } from './party.js';
