/** What becomes of a call before anybody is asked. Pure: time and the world are handed in. */

export { BUILT_IN, decideCall, type Grounds } from './decide-call.js';
export type { Surroundings } from './places.js';
export type { Protected } from './protections.js';
