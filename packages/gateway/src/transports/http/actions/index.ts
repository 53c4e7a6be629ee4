export { act } from './act.js';
export type { Action } from './action.js';
export { createDecideAs, type DecideAs, type VouchedDecision } from './decide-as.js';
export { ACTION_PATHS, ANSWER, GRANTED, WAITING } from './openapi.js';
export { createSeeAs, type SeeAs, type Seen, type Sight } from './see-as.js';
export { ACTIONS } from './table.js';
