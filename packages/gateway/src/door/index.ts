export { createAttempt } from './attempt.js';
export * from './auth/index.js';
export { createDoor, type Door, type Visitor } from './door.js';
export { refuseForeign } from './foreign.js';
export * from './limits/index.js';
export { refuseTwoCredentials } from './two-credentials.js';
