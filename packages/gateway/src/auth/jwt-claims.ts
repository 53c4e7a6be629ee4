import {
  failure,
  isJsonObject,
  isParticipantName,
  isReservedName,
  type JsonObject,
  type Result,
  success,
} from '@proffer/core';
import type { GatewayConfig, ParticipantConfig } from '../config/index.js';
import { DEFAULT_NEGOTIATION_FLAGS } from '../config/negotiation-fields.js';
import { compileSpaces, negotiationRights, type Principal } from './principal.js';
import { readMacpScopes, readProfferClaim } from './read-claims.js';
import { unauthenticated } from './unauthenticated.js';

/** What a JWT said, after its signature, issuer, audience and times were found right. */
export type VerifiedClaims = JsonObject & { readonly exp: number };

/**
 * The principal of a JWT. `sub` is the name. What it may do, the `proffer` claim says (spaces with
 * capabilities, observer) and `macp_scopes` (the flags of MACP token lists); where a claim is absent,
 * the participant of that name in the configuration counts. A claim that cannot be read makes the
 * whole JWT invalid: whoever wrote it meant something by it.
 */
export function principalFromClaims(claims: VerifiedClaims, config: GatewayConfig): Result<Principal> {
  const name = claims['sub'];
  if (!isParticipantName(name) || isReservedName(name)) {
    return unauthenticated('`sub` of the JWT cannot be the name of a participant.', { claim: 'sub' });
  }
  const configured = config.participants.get(name);
  const granted = readProfferClaim(claims['proffer'], config);
  if (!granted.ok) return failure(granted.refusal);
  const flags = readMacpScopes(claims['macp_scopes']);
  if (!flags.ok) return failure(flags.refusal);
  const spaces: Pick<ParticipantConfig, 'spaces'> = {
    spaces: granted.value.spaces ?? configured?.spaces ?? new Map(),
  };
  return success({
    name,
    credential: `jwt:${name}`,
    expiresAt: claims.exp * 1000 + (config.jwt?.clockSkew ?? 0),
    spaces: compileSpaces(spaces),
    isObserver: granted.value.observer ?? configured?.observer ?? false,
    negotiation: negotiationRights(name, flags.value ?? configured?.negotiation ?? DEFAULT_NEGOTIATION_FLAGS),
  });
}

/** True for claims in which `exp` is a number, as it is after verification. */
export function hasExpiry(claims: unknown): claims is VerifiedClaims {
  return isJsonObject(claims) && typeof claims['exp'] === 'number';
}
