export { type Grant, grant, resolveGrant } from './capability-list.js';
export { completeFlags, negotiationFlags, type WrittenFlags } from './negotiation-fields.js';
export { roles } from './participant-fields.js';
