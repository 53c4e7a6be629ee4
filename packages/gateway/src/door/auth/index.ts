export { type Authenticator, createAuthenticator } from './authenticator.js';
export { bearerToken, SUBPROTOCOL_TOKEN_PREFIX } from './bearer.js';
export { capabilitiesIn, isOperatorIn, type NegotiationRights, type Principal } from './principal.js';
