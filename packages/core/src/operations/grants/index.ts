export { checkGrantable } from './decide-grant.js';
export { mayRevoke } from './decide-revoke.js';
export { type Grant, isInForce, viewGrant } from './grant.js';
export { grantById, grantsAbout, grantsInForce } from './in-force.js';
export {
  changesGrants,
  type GrantEnded,
  type Granted,
  type GrantRecord,
  type GrantRevoked,
  type GrantUsed,
} from './records.js';
export { endSession, grantFor } from './use.js';
