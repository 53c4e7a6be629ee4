export { act } from './act.js';
export type { Action } from './action.js';
export { ACTION_PATHS, ANSWER, WAITING } from './openapi.js';
export { ACTIONS } from './table.js';
