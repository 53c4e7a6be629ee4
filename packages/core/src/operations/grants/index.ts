export { checkGrantable } from './decide-grant.js';
export { mayRevoke } from './decide-revoke.js';
export {
  changesGrants,
  type Grant,
  type GrantEnded,
  type Granted,
  type GrantRecord,
  type GrantRevoked,
  type GrantUsed,
  grantById,
  grantsAbout,
  grantsInForce,
  holdersOfGrantsBy,
  isInForce,
  viewGrant,
} from './grant.js';
export { endSession, grantFor } from './use.js';
