import { failure, isParticipantName, type Refusal, type Result, refuse, success } from '@proffer/core';
import { defined, quote } from '@proffer/core/json';
import { isReservedName } from '@proffer/core/negotiation';
import { devRole, type GatewayConfig, type JwtConfig } from '../../config/index.js';
import { digestToken, type InvitedAs, readInvitationToken } from '../../token.js';
import { unauthenticated } from './bearer.js';
import { type CallerIdentity, compileSpaces, createCallerIdentity } from './caller-identity.js';
import { createInvitedCallers, type InvitationSource } from './invitations.js';
import { identityFromClaims, type VerifiedClaims } from './jwt-claims.js';
import type { JwtVerifier } from './jwt-verifier.js';
import { isListed, whyMistakable } from './listed-names.js';
import { createStaticTokens, type StaticTokens } from './static-tokens.js';

const MAX_TOKEN_LENGTH = 16_384;

/** Determines who is at the other end, and whether that is still valid. */
export interface Authenticator {
  /**
   * The caller of a token. Tried in this order: invitations, configured tokens, JWT, dev mode; a token that one of them
   * recognises and refuses is not tried in the next. Refuses with `unauthenticated`; or `unavailable` if it cannot be
   * determined at the moment.
   */
  readonly authenticate: (token: string | undefined) => Promise<Result<CallerIdentity>>;
  /**
   * The current caller: the same object as long as nothing changed, with new rights after a reload that changed
   * them, a refusal once the credential was revoked or has expired (I-4). Cheap enough to call before every message.
   */
  readonly current: (identity: CallerIdentity) => Result<CallerIdentity>;
  /**
   * A configured participant that another service vouches for, such as Slack for its user. The caller has
   * verified that, and names the credential, such as `slack:T1/U1`.
   */
  readonly vouchedFor: (name: string, credential: string) => Result<CallerIdentity>;
  /**
   * A participant by name alone, present or not: one from the configuration, one invited to the space, the
   * subject of the last valid JWT with that name, or one of dev mode. Nothing is known about anyone else until they present a
   * credential.
   */
  readonly named: (name: string, space?: string) => CallerIdentity | undefined;
  /** Why nobody can be invited to a space under this name, if so; the names that the space knows are up to it. */
  readonly checkInvitable: (name: string, space: string) => Refusal | undefined;
  /** Replaces the configuration. What is no longer in it is revoked from now on. */
  readonly reload: (config: GatewayConfig) => void;
}

/** The part of a configuration that decides who is who. Replaced as a whole. */
interface Table {
  readonly config: GatewayConfig;
  /** Participants that were looked up by name alone. */
  readonly named: Map<string, CallerIdentity>;
  readonly tokens: StaticTokens;
  readonly dev?: (name: string) => Result<CallerIdentity>;
  readonly jwt?: JwtVerifier;
}

/** How a caller was determined, to check it again. */
interface Origin {
  readonly table: Table;
  readonly claims?: VerifiedClaims;
  readonly viaDev: boolean;
  /** Another service vouches for it. */
  readonly isVouched?: boolean;
  /** The invitation that let it in. */
  readonly invited?: InvitedAs;
}

/**
 * @param now - the clock, in milliseconds since 1970
 * @param invitations - who was invited. Default: nobody
 */
export function createAuthenticator(
  config: GatewayConfig,
  now: () => number = Date.now,
  invitations?: InvitationSource,
): Authenticator {
  const invitedCallers = invitations && createInvitedCallers(invitations);
  const origins = new WeakMap<CallerIdentity, Origin>();
  const byJwt = new Map<string, CallerIdentity>();
  let table = createTable(config, undefined, now);

  const remember = (result: Result<CallerIdentity>, origin: Origin): Result<CallerIdentity> => {
    if (result.ok) origins.set(result.value, origin);
    return result;
  };

  /** The configuration comes first: a name that it may give to somebody is no longer the invited participant's. */
  function invitedAs(as: InvitedAs): Result<CallerIdentity> {
    const { space, name, digest } = as;
    if (invitedCallers === undefined || checkInvitable(name, space) !== undefined) return revoked();
    return invitedCallers.withToken(space, name, digest);
  }

  function checkInvitable(name: string, space: string): Refusal | undefined {
    const { unlistedSubjects: unlisted } = table.config;
    if ([unlisted, ...(unlisted?.claims ?? [])].some((each) => each?.spaces.has(space) === true)) {
      const what = `${quote(space)} admits unlisted subjects of the JWT issuer, so any name may be somebody's there.`;
      return refuse('not_invitable', what, { space });
    }
    const why = isReservedName(name) ? 'is reserved' : whyMistakable(name, table.config);
    if (why === undefined && !isListed(name, table.config)) return undefined;
    return refuse('not_invitable', `${quote(name)} ${why ?? 'is a name in the configuration'}.`, { name });
  }

  async function resolveInvited(token: string, from: Table): Promise<Result<CallerIdentity> | undefined> {
    const place = invitations && readInvitationToken(token);
    if (place === undefined) return undefined;
    const invited = { ...place, digest: digestToken(token) };
    if (!invitedAs(invited).ok) await invitations?.catchUp(place.space);
    return remember(invitedAs(invited), { table: from, viaDev: false, invited });
  }

  async function resolve(token: string, from: Table): Promise<Result<CallerIdentity>> {
    const invited = await resolveInvited(token, from);
    if (invited !== undefined) return invited;
    const known = from.tokens.resolve(token);
    if (known !== undefined) return remember(known, { table: from, viaDev: false });
    const claims = await from.jwt?.(token);
    if (claims !== undefined) {
      if (!claims.ok) return failure(claims.refusal);
      const identity = identityFromClaims(claims.value, from.config);
      if (identity.ok) keepLast(byJwt, identity.value);
      return remember(identity, { table: from, claims: claims.value, viaDev: false });
    }
    const named = from.dev?.(token);
    if (named !== undefined) return remember(named, { table: from, viaDev: true });
    return unauthenticated('The token is unknown.');
  }

  function follow(identity: CallerIdentity, origin: Origin): Result<CallerIdentity> {
    if (origin.isVouched === true) return configured(identity.name, identity.credential);
    if (origin.viaDev) return table.dev === undefined ? revoked() : table.dev(identity.name);
    if (origin.claims === undefined) {
      const found = table.tokens.find(identity.credential);
      return found === undefined ? revoked() : success(found);
    }
    // Keys may have been removed because they leaked: with other settings, the JWT must be presented again.
    if (!sameJwt(origin.table.config.jwt, table.config.jwt)) return revoked();
    return identityFromClaims(origin.claims, table.config);
  }

  function configured(name: string, credential: string): Result<CallerIdentity> {
    const participant = table.config.participants.get(name);
    if (participant === undefined) return unauthenticated('The name is unknown.');
    return success(createCallerIdentity(name, credential, participant));
  }

  function current(identity: CallerIdentity): Result<CallerIdentity> {
    const origin = origins.get(identity);
    if (origin === undefined) return revoked();
    if (origin.invited !== undefined) return remember(invitedAs(origin.invited), origin);
    const { expiresAt } = identity;
    if (expiresAt !== undefined && now() >= expiresAt) {
      return unauthenticated('The JWT has expired.', { claim: 'exp', reason: 'expired' });
    }
    if (origin.table === table) return success(identity);
    return remember(follow(identity, origin), { ...origin, table });
  }

  return {
    vouchedFor: (name, credential) =>
      remember(configured(name, credential), { table, viaDev: false, isVouched: true }),
    authenticate: async (token) => {
      if (token === undefined || token === '') return unauthenticated('The token is missing.');
      if (token.length > MAX_TOKEN_LENGTH) return unauthenticated('The token is too long.');
      for (;;) {
        const from = table;
        const result = await resolve(token, from);
        // A reload while keys were fetched may have revoked what was just verified.
        if (from === table) return result;
      }
    },
    current,
    named: (name, space) => {
      const isInvitable = space !== undefined && checkInvitable(name, space) === undefined;
      const invited = isInvitable ? invitedCallers?.named(space, name) : undefined;
      if (invited?.ok === true) return invited.value;
      const last = table.config.participants.has(name) ? undefined : byJwt.get(name);
      const shown = last && current(last);
      if (shown?.ok === true) return shown.value;
      const known = table.named.get(name);
      if (known !== undefined) return known;
      const found = table.config.participants.has(name)
        ? configured(name, `name:${name}`)
        : table.dev?.(name);
      const identity = found?.ok === true ? found.value : undefined;
      // Made-up names must not fill memory.
      if (identity !== undefined) table.named.set(name, identity);
      return identity;
    },
    checkInvitable,
    reload: (next) => {
      table = createTable(next, table, now);
    },
  };
}

function createTable(config: GatewayConfig, before: Table | undefined, now: () => number): Table {
  const tokens = createStaticTokens(config, before?.tokens.ids ?? new Map());
  const { jwt } = config;
  // With the same settings, fetched keys stay valid.
  const verifier = sameJwt(before?.config.jwt, jwt) ? before?.jwt : jwt && verifierOf(jwt, now);
  return {
    config,
    named: new Map(),
    tokens,
    ...(config.dev ? { dev: createDevNames(config) } : {}),
    ...defined({ jwt: verifier }),
  };
}

/** Loaded only if JWTs are used: the verifier takes a while to load. */
function verifierOf(jwt: JwtConfig, now: () => number): JwtVerifier {
  const verifier = import('./jwt-verifier.js').then(({ createJwtVerifier }) => createJwtVerifier(jwt, now));
  return async (token) => await (await verifier)(token);
}

function sameJwt(left: JwtConfig | undefined, right: JwtConfig | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** How many JWT subjects are remembered by name after they left. */
const MAX_KEPT = 10_000;

function keepLast(kept: Map<string, CallerIdentity>, identity: CallerIdentity): void {
  kept.delete(identity.name);
  kept.set(identity.name, identity);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
}

const revoked = () => unauthenticated('The credential was revoked.', { reason: 'revoked' });

/**
 * Dev mode: the token is the participant's name. It accepts everything, so it comes last. An unconfigured
 * name has the rights of `agent`, and may reject. Every token may act for every name (N-7).
 */
function createDevNames(config: GatewayConfig): (name: string) => Result<CallerIdentity> {
  const spaces = new Map<string, CallerIdentity['spaces']>();
  return (name) => {
    if (!isParticipantName(name) || isReservedName(name)) {
      return unauthenticated("In dev mode the token is the participant's name, and this is not a valid one.");
    }
    const { role, participant } = devRole(name, config.participants);
    if (participant === undefined) return unauthenticated('The name is unknown.');
    const compiled = spaces.get(role) ?? compileSpaces(participant);
    spaces.set(role, compiled);
    const identity = createCallerIdentity(name, `dev:${name}`, participant, compiled);
    const isConfigured = config.participants.has(name);
    return success({
      ...identity,
      // A name without a role may be a guard. The built-in names of dev mode are not.
      runsOwnCalls: participant.runsOwnCalls || role === '',
      isConfigured,
      negotiation: { ...identity.negotiation, actAs: 'anyone' },
    });
  };
}
