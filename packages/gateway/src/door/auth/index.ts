export { type Authenticator, createAuthenticator } from './authenticator.js';
export { bearerToken, SUBPROTOCOL, SUBPROTOCOL_TOKEN_PREFIX } from './bearer.js';
export {
  type CallerIdentity,
  capabilitiesIn,
  isOperatorIn,
  type NegotiationRights,
} from './caller-identity.js';
export type { InvitationSource } from './invitations.js';
