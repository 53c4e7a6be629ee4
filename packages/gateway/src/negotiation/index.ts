export type * from './discovery.js';
export { endpointsOf } from './endpoints.js';
export * from './json.js';
export { createNegotiations } from './negotiations.js';
export { Plane } from './plane.js';
export type * from './runtime.js';
