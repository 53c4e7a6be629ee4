import { failure, isParticipantName, type Result, success } from '@proffer/core';
import { defined, isJsonObject, type JsonObject, quote } from '@proffer/core/json';
import { isReservedName } from '@proffer/core/negotiation';
import type {
  GatewayConfig,
  NegotiationFlags,
  ParticipantConfig,
  UnlistedSubjects,
} from '../../config/index.js';
import { unauthenticated } from './bearer.js';
import { type CallerIdentity, createCallerIdentity } from './caller-identity.js';
import { rightsFromClaims } from './claim-rights.js';
import { isListed, whyMistakable } from './listed-names.js';

/** The claims of a JWT with a valid signature, issuer, audience and times. */
export type VerifiedClaims = JsonObject & { readonly exp: number };

/**
 * The caller of a JWT. `sub` is the name. A participant has the rights that the configuration gives it,
 * whatever the JWT claims. Anyone else gets what `jwt.unlisted_subjects` grants, to all or for their claims,
 * and is refused if that is not set, or if their name could be mistaken for that of a participant.
 */
export function identityFromClaims(claims: VerifiedClaims, config: GatewayConfig): Result<CallerIdentity> {
  const name = claims['sub'];
  if (!isParticipantName(name) || isReservedName(name)) {
    return unauthenticated('`sub` of the JWT is not a valid participant name.', { claim: 'sub' });
  }
  const rights = rightsOf(name, claims, config);
  if (!rights.ok) return failure(rights.refusal);
  const expiresAt = claims.exp * 1000 + (config.jwt?.clockSkew ?? 0);
  return success({
    ...createCallerIdentity(name, `jwt:${name}`, rights.value),
    expiresAt,
    isConfigured: config.participants.has(name),
  });
}

function rightsOf(name: string, claims: VerifiedClaims, config: GatewayConfig): Result<ParticipantConfig> {
  const { participants, unlistedSubjects: unlisted } = config;
  const listed = participants.get(name);
  if (listed !== undefined) return success(listed);
  if (unlisted === undefined) return refuseUnlisted(name);
  if (isListed(name, config)) return success(asInTokenList(name, unlisted, config));
  const mistakable = whyMistakable(name, config);
  if (mistakable === undefined) return rightsFromClaims(claims, unlisted, config);
  return unauthenticated(`The subject of the JWT is refused: its name ${mistakable}.`, {
    claim: 'sub',
    reason: 'lookalike',
  });
}

/** A sender of a MACP token list has flags there, to which a JWT adds nothing either. */
function asInTokenList(
  name: string,
  unlisted: UnlistedSubjects,
  { tokens }: GatewayConfig,
): ParticipantConfig {
  const own = tokens.filter(({ participant }) => participant === name);
  const negotiation = own.map((token) => token.negotiation).reduce(inBoth, unlisted.negotiation);
  return { ...unlisted, negotiation };
}

/** What both sets of flags allow. */
function inBoth(one: NegotiationFlags, other: NegotiationFlags): NegotiationFlags {
  const limits = [one.maxOpenSessions, other.maxOpenSessions].filter((limit) => limit !== undefined);
  const { allowedModes: modes = other.allowedModes } = one;
  return {
    canStartSessions: one.canStartSessions && other.canStartSessions,
    canManageModeRegistry: one.canManageModeRegistry && other.canManageModeRegistry,
    isObserver: one.isObserver && other.isObserver,
    actAs: one.actAs.filter((name) => other.actAs.includes(name)),
    ...defined({
      allowedModes: modes?.filter((mode) => other.allowedModes?.includes(mode) ?? true),
      maxOpenSessions: limits.length === 0 ? undefined : Math.min(...limits),
    }),
  };
}

function refuseUnlisted(name: string) {
  const what = `${quote(name)}, the subject of the JWT, is not a participant of this gateway, and jwt.unlisted_subjects gives unlisted subjects no access.`;
  return unauthenticated(what, { claim: 'sub', reason: 'unlisted' });
}

/** True for claims in which `exp` is a number, as it is after verification. */
export function hasExpiry(claims: unknown): claims is VerifiedClaims {
  return isJsonObject(claims) && typeof claims['exp'] === 'number';
}
