export * from './auth/index.js';
export { createRightsAndRateCheck } from './check-rights-and-rate.js';
export { type Caller, createDoor, type Door } from './door.js';
export * from './limits/index.js';
export { checkOrigin } from './origin-check.js';
export { refuseTwoCredentials } from './two-credentials.js';
