export { createOpenCalls } from './open-calls.js';
export { createParty } from './party.js';
