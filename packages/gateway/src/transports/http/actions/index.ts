export { act } from './act.js';
export type { Action } from './action.js';
export type { DecideAs, VouchedDecision } from './decide-as.js';
export { createOnBehalf, type OnBehalf } from './on-behalf.js';
export { ACTION_OPERATIONS, ANSWER, GRANTED, WAITING } from './openapi.js';
export type { SeeAs, Sight, VisibleProposal } from './see-as.js';
export { ACTIONS } from './table.js';
