import { failure, type Result, success } from '@proffer/core';
import type { Capability } from '@proffer/core/capability';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, quote } from '@proffer/core/json';
import { createReport, treeOfJson } from '@proffer/reading';
import { type NegotiationKey, negotiationFlags } from '../../config/fields/index.js';
import type {
  ClaimPath,
  GatewayConfig,
  NegotiationFlags,
  ParticipantConfig,
  UnlistedSubjects,
} from '../../config/index.js';
import { unauthenticated } from './bearer.js';
import { isListed, whyMistakable } from './listed-names.js';

/**
 * The rights of a JWT whose subject is not a participant: what the configuration grants to all of them, and
 * what it grants for each claim. Claims that the configuration does not name count for nothing. A claim that it
 * names and that is malformed, or missing where it identifies the person, invalidates the whole JWT.
 */
export function rightsFromClaims(
  claims: JsonObject,
  unlisted: UnlistedSubjects,
  config: GatewayConfig,
): Result<ParticipantConfig> {
  const person = personIn(claims, unlisted);
  if (!person.ok) return failure(person.refusal);
  const negotiation = flagsIn(claims, unlisted, config);
  if (!negotiation.ok) return failure(negotiation.refusal);
  const granted = unlisted.claims.filter(({ claim, has }) => hasValue(claimAt(claims, claim), has));
  const all = [unlisted, ...granted];
  return success({
    spaces: joinSpaces(all),
    roles: [...new Set(all.flatMap(({ roles }) => roles))],
    observer: all.some(({ observer }) => observer),
    runsOwnCalls: all.some(({ runsOwnCalls }) => runsOwnCalls),
    reviewOnly: all.some(({ reviewOnly }) => reviewOnly),
    ...person.value,
    negotiation: negotiation.value,
  });
}

function claimAt(claims: JsonObject, path: ClaimPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    claims,
  );
}

/** Only text counts, and only as a whole: a claim that contains the value as a part of a text does not have it. */
function hasValue(claim: JsonValue | undefined, wanted: string): boolean {
  return isJsonArray(claim) ? claim.includes(wanted) : claim === wanted;
}

function joinSpaces(all: readonly Pick<ParticipantConfig, 'spaces'>[]): ParticipantConfig['spaces'] {
  const spaces = new Map<string, readonly Capability[]>();
  for (const [space, capabilities] of all.flatMap((rights) => [...rights.spaces])) {
    spaces.set(space, [...(spaces.get(space) ?? []), ...capabilities]);
  }
  return spaces;
}

/** Who the person is, and whom an agent works for (O-30). Without a configured claim, `sub` is the person. */
function personIn(
  claims: JsonObject,
  { subjectClaim, worksForClaim }: UnlistedSubjects,
): Result<Pick<ParticipantConfig, 'subject' | 'worksFor'>> {
  const subject = subjectClaim === undefined ? undefined : claimAt(claims, subjectClaim);
  if (subjectClaim !== undefined && !isText(subject)) return refuseClaim(subjectClaim);
  const worksFor = worksForClaim === undefined ? undefined : claimAt(claims, worksForClaim);
  if (worksForClaim !== undefined && worksFor !== undefined && !isText(worksFor))
    return refuseClaim(worksForClaim);
  return success({ ...(isText(subject) ? { subject } : {}), ...(isText(worksFor) ? { worksFor } : {}) });
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value !== '';
}

function refuseClaim(path: ClaimPath) {
  const claim = path.join('.');
  const what = `The claim ${quote(claim)} of the JWT, which identifies a person here, is missing or not text.`;
  return unauthenticated(what, { claim });
}

// MACP issuers may add their own keys, which runtimes must ignore.
const MACP_SCOPES = negotiationFlags('open');

const FLAGS: Readonly<Record<NegotiationKey, keyof NegotiationFlags>> = {
  allowed_modes: 'allowedModes',
  can_start_sessions: 'canStartSessions',
  max_open_sessions: 'maxOpenSessions',
  can_manage_mode_registry: 'canManageModeRegistry',
  is_observer: 'isObserver',
  act_as: 'actAs',
};

/** The configured flags, with those of `macp_scopes` in their place that the configuration lets count. */
function flagsIn(
  claims: JsonObject,
  { macpScopes, negotiation }: UnlistedSubjects,
  config: GatewayConfig,
): Result<NegotiationFlags> {
  const claim = claims['macp_scopes'];
  if (macpScopes.length === 0 || claim === undefined || claim === null) return success(negotiation);
  const { problems, report } = createReport();
  const flags = MACP_SCOPES.read(treeOfJson(claim, IN_JWT), ['macp_scopes'], report);
  const [problem] = problems;
  if (problem !== undefined || flags === undefined || !isJsonObject(claim)) {
    const { path: field = 'macp_scopes', message = 'it cannot be read.' } = problem ?? {};
    return unauthenticated(`The claim ${field} of the JWT is invalid: ${message}`, {
      claim: 'macp_scopes',
      field,
    });
  }
  const counted = macpScopes.filter((key) => (claim[key] ?? null) !== null).map((key) => FLAGS[key]);
  const taken = Object.fromEntries(counted.map((flag) => [flag, flags[flag]]));
  const merged: NegotiationFlags = { ...negotiation, ...taken };
  const other = counted.includes('actAs') ? flags.actAs.find((name) => isTaken(name, config)) : undefined;
  return other === undefined ? success(merged) : refuseActAs(other);
}

const IN_JWT = { source: 'JWT', line: 1, column: 1 };

function isTaken(name: string, config: GatewayConfig): boolean {
  return isListed(name, config) || whyMistakable(name, config) !== undefined;
}

/** Speaking for a participant is a right that only the configuration gives. */
function refuseActAs(name: string) {
  const what = `A claim cannot let anyone speak for ${quote(name)}, which is, or looks like, a name in the configuration.`;
  return unauthenticated(what, { claim: 'macp_scopes', field: 'macp_scopes.act_as', name });
}
