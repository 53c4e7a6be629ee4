import {
  createLookalikes,
  failure,
  isParticipantName,
  mixesAlphabets,
  type Result,
  success,
} from '@proffer/core';
import { isJsonObject, type JsonObject, quote } from '@proffer/core/json';
import { isReservedName } from '@proffer/core/negotiation';
import { completeFlags } from '../../config/fields/index.js';
import type { GatewayConfig } from '../../config/index.js';
import { compileSpaces, negotiationRights, type Principal } from './principal.js';
import { readMacpScopes, readProfferClaim } from './read-claims.js';
import { unauthenticated } from './unauthenticated.js';

/** The claims of a JWT with a valid signature, issuer, audience and times. */
export type VerifiedClaims = JsonObject & { readonly exp: number };

/**
 * The principal of a JWT. `sub` is the name. Its rights come from the `proffer` claim (spaces with
 * capabilities, observer, whether it runs its own calls) and `macp_scopes` (the flags of MACP token lists);
 * if a claim is absent, those of the configured participant of that name apply. A malformed claim invalidates
 * the whole JWT: its author meant something by it.
 *
 * A subject that is not a participant gets what `jwt.unlisted_subjects` grants, and is refused if that grants
 * nothing. It is also refused if its name could be mistaken for that of a participant.
 */
export function principalFromClaims(claims: VerifiedClaims, config: GatewayConfig): Result<Principal> {
  const name = claims['sub'];
  if (!isParticipantName(name) || isReservedName(name)) {
    return unauthenticated('`sub` of the JWT is not a valid participant name.', { claim: 'sub' });
  }
  const listed = config.participants.get(name);
  const rights = listed ?? config.unlistedSubjects;
  if (rights === undefined) return refuseUnlisted(name);
  const disguised = listed === undefined ? refuseLookalike(name, config) : undefined;
  if (disguised !== undefined) return disguised;
  const doClaimsCount = listed !== undefined || config.unlistedSubjects?.claims === true;
  const granted = readProfferClaim(doClaimsCount ? claims['proffer'] : undefined, config);
  if (!granted.ok) return failure(granted.refusal);
  const flags = readMacpScopes(doClaimsCount ? claims['macp_scopes'] : undefined);
  if (!flags.ok) return failure(flags.refusal);
  const negotiation =
    flags.value === undefined
      ? rights.negotiation
      : completeFlags(flags.value, rights.negotiation.canStartSessions);
  return success({
    name,
    credential: `jwt:${name}`,
    expiresAt: claims.exp * 1000 + (config.jwt?.clockSkew ?? 0),
    spaces: compileSpaces({ spaces: granted.value.spaces ?? rights.spaces }),
    isObserver: granted.value.observer ?? rights.observer,
    runsOwnCalls: granted.value.runsOwnCalls ?? rights.runsOwnCalls,
    reviewOnly: granted.value.reviewOnly ?? rights.reviewOnly,
    isConfigured: listed !== undefined,
    roles: granted.value.roles ?? rights.roles,
    ...personOf(granted.value.subject ?? listed?.subject, granted.value.worksFor ?? listed?.worksFor),
    negotiation: negotiationRights(name, negotiation),
  });
}

function personOf(
  subject: string | undefined,
  worksFor: string | undefined,
): Pick<Principal, 'subject' | 'worksFor'> {
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(worksFor === undefined ? {} : { worksFor }),
  };
}

function refuseUnlisted(name: string) {
  const what = `${quote(name)}, the subject of the JWT, is not a participant of this gateway, and jwt.unlisted_subjects grants nothing to others.`;
  return unauthenticated(what, { claim: 'sub', reason: 'unlisted' });
}

/** A lookup for participants that a name could be mistaken for: the table is built once. */
const lookalikes = new WeakMap<GatewayConfig['participants'], (name: string) => string | undefined>();

function refuseLookalike(name: string, { participants }: GatewayConfig) {
  const find = lookalikes.get(participants) ?? createLookalikes(participants.keys());
  lookalikes.set(participants, find);
  const alike = find(name);
  if (alike === undefined && !mixesAlphabets(name)) return undefined;
  const why =
    alike === undefined
      ? 'mixes letters of several alphabets that look alike'
      : 'could be taken for that of a participant';
  return unauthenticated(`The subject of the JWT is refused: its name ${why}.`, {
    claim: 'sub',
    reason: 'lookalike',
  });
}

/** True for claims in which `exp` is a number, as it is after verification. */
export function hasExpiry(claims: unknown): claims is VerifiedClaims {
  return isJsonObject(claims) && typeof claims['exp'] === 'number';
}
