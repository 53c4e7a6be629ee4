import type { Authorizable } from '../../capability/authorize.js';
import { type CapabilitySource, parseCapability } from '../../capability/capability.js';
import { type CompiledCapabilities, compileCapabilities } from '../../capability/compiled-capabilities.js';
import type { Envelope } from '../../envelope/envelope.js';
import type { JsonObject } from '../../json/json.js';
import { endedByRemoval } from '../membership/given.js';
import type { OperationRecord, Recorded } from '../records.js';
import type { SpaceState } from '../space/space.js';

/**
 * Something that a participant may do for a while because someone granted it (O-41). Times in
 * milliseconds.
 */
export type Grant = {
  /** The id of the granting message. */
  readonly id: string;
  readonly granter: string;
  readonly to: string;
  readonly capabilities: readonly CapabilitySource[];
  /** The granter's own capabilities when it was granted. */
  readonly within: readonly CapabilitySource[];
  readonly until?: number;
  /** How many messages it covers, and how many are left. Absent: unlimited. */
  readonly uses?: number;
  readonly left?: number;
  /** The proposal that the last use was counted for, if any. */
  readonly spentOn?: string | undefined;
  /**
   * `true`: it ends when the participant leaves the space. A text: it covers only proposals whose
   * `origin` names this session of the participant.
   */
  readonly session?: true | string;
  /** The person who granted it, if the operator says who it is (O-30). */
  readonly subject?: string;
  /** The granter was configured: if it no longer is, the grant is void. */
  readonly configured?: true;
  readonly reason?: string;
  readonly at: number;
};

/** A message that a grant may cover, and its sender's session, if it names one. */
export type Grantable = Authorizable & {
  readonly session?: string | undefined;
};

export const NO_GRANTS: readonly Grant[] = [];

/** Whether a grant is in force at this time. Used-up, revoked and ended ones no longer exist. */
export function isInForce(
  space: Pick<SpaceState, 'participants'>,
  { until, granter: by, at }: Grant,
  now: number,
): boolean {
  return isBefore(until, now) && !endedByRemoval(space, { by, at });
}

function isBefore(until: number | undefined, now: number): boolean {
  return until === undefined || now < until;
}

/** A grant as it is shown to people and in the welcome. */
export function viewGrant({
  within: _within,
  configured: _configured,
  spentOn: _spentOn,
  ...shown
}: Grant): JsonObject {
  return shown;
}

const compiled = new WeakMap<readonly CapabilitySource[], CompiledCapabilities>();

/** Capabilities from a record, parsed once. Invalid ones allow nothing. */
export function compiledSources(sources: readonly CapabilitySource[]): CompiledCapabilities {
  let known = compiled.get(sources);
  if (known === undefined) {
    known = compileCapabilities(
      sources.flatMap((source) => {
        const parsed = parseCapability(source);
        return parsed.ok ? [parsed.value] : [];
      }),
    );
    compiled.set(sources, known);
  }
  return known;
}

/** The grants in force to or by a participant, oldest first. */
export function grantsAbout(space: SpaceState, name: string, now: number): readonly Grant[] {
  if (space.grants.size === 0) return NO_GRANTS;
  return grantsInForce(space, now).filter(({ to, granter }) => to === name || granter === name);
}

/** All grants in force in a space, oldest first. */
export function grantsInForce(space: SpaceState, now: number): readonly Grant[] {
  const found: Grant[] = [];
  for (const id of space.grants.keys()) {
    const grant = grantById(space, id);
    if (grant !== undefined && isInForce(space, grant, now)) found.push(grant);
  }
  return found.sort((one, other) => one.at - other.at);
}

/** To whom a participant has granted something that was not revoked or used up. */
export function holdersOfGrantsBy(space: SpaceState, granter: string): ReadonlySet<string> {
  const given = [...space.grants].filter(([id]) => grantById(space, id)?.granter === granter);
  return new Set(given.map(([, to]) => to));
}

/** A grant that was not revoked or used up; it may have expired. */
export function grantById({ grants, participants }: SpaceState, id: string): Grant | undefined {
  const to = grants.get(id);
  return to === undefined ? undefined : participants.get(to)?.grants.find((grant) => grant.id === id);
}

/** Every record about a grant is in its holder's stream, and names the grant. */
type AboutGrant = { readonly participant: string; readonly grant: string };

/** Sent by a participant: recognised when it is repeated (O-3), and visible to these whatever `to` says. */
type Said = { readonly fingerprint: string; readonly audience: readonly string[] };

/** A participant lets another do what it may do itself, for a while (O-41). */
export type Granted = Recorded<
  'granted',
  AboutGrant &
    Said & {
      readonly capabilities: readonly CapabilitySource[];
      /** The granter's own capabilities at that moment: the grant covers nothing beyond them. */
      readonly within: readonly CapabilitySource[];
      /** Milliseconds since 1970. */
      readonly until?: number;
      readonly uses?: number;
      /** `true`: it ends when the participant leaves the space. A text: only for this session of the participant. */
      readonly session?: true | string;
      /** The person who granted it, if the operator says who it is (O-30). */
      readonly subject?: string;
      /** The granter was configured at that moment. */
      readonly configured?: true;
    }
>;

export type GrantRevoked = Recorded<
  'grant_revoked',
  Said & {
    readonly participant: string;
    /** The revoked grants. */
    readonly grants: readonly string[];
  }
>;

/** A message that only the grant allows is about to be accepted. Recorded before the message is (O-41). */
export type GrantUsed = Recorded<
  'grant_used',
  AboutGrant & {
    /** The id of that message. */
    readonly message: string;
    /** The message is a proposal that runs by the grant. */
    readonly runs?: true;
    /** How many uses are left after it. */
    readonly left: number;
  }
>;

/** The participant left the space, which ends the grant. */
export type GrantEnded = Recorded<'grant_ended', AboutGrant & { readonly why: 'session_over' }>;

/** Whether its participant's rights have changed. */
export function changesGrants(record: OperationRecord): record is GrantRecord {
  switch (record.type) {
    case 'granted':
    case 'grant_revoked':
    case 'grant_ended':
      return true;
    default:
      return record.type === 'grant_used' && record.facts.left === 0;
  }
}

export type GrantRecord = Granted | GrantRevoked | GrantUsed | GrantEnded;

/** A participant's grants after a record about one of them. Expired ones are dropped. */
export function evolveGrants(grants: readonly Grant[], record: GrantRecord): readonly Grant[] {
  const next = changed(grants, record).filter(({ until }) => isBefore(until, record.time));
  return next.length === 0 ? NO_GRANTS : next;
}

function changed(grants: readonly Grant[], record: GrantRecord): readonly Grant[] {
  if (record.type === 'grant_revoked') {
    const { grants: revoked } = record.facts;
    return grants.filter(({ id }) => !revoked.includes(id));
  }
  const { grant: id } = record.facts;
  const others = grants.filter((grant) => grant.id !== id);
  switch (record.type) {
    case 'granted':
      return [...others, grantOf(record)];
    case 'grant_used': {
      const { left, message, runs } = record.facts;
      const spentOn = runs === true ? message : undefined;
      if (left === 0) return others;
      return grants.map((grant) => (grant.id === id ? { ...grant, left, spentOn } : grant));
    }
    case 'grant_ended':
      return others;
  }
}

function grantOf({ envelope, facts, principal, time }: Granted): Grant {
  const {
    grant: id,
    participant: to,
    capabilities,
    within,
    until,
    uses,
    session,
    subject,
    configured,
  } = facts;
  const { reason } = envelope.payload;
  return {
    id,
    granter: principal,
    to,
    capabilities,
    within,
    ...(until === undefined ? {} : { until }),
    ...(uses === undefined ? {} : { uses, left: uses }),
    ...(session === undefined ? {} : { session }),
    ...(subject === undefined ? {} : { subject }),
    ...(configured === undefined ? {} : { configured }),
    ...(typeof reason === 'string' ? { reason } : {}),
    at: time,
  };
}

/** A grant without an end time still has an end; its readers see which. */
export function deliveredGrant({ envelope, facts }: Granted): Envelope {
  const { payload } = envelope;
  const { session, until } = facts;
  if (session === undefined) return envelope;
  const isTimed = until === undefined || payload['until'] !== undefined || payload['ttl'] !== undefined;
  if (payload['session'] === session && isTimed) return envelope;
  return { ...envelope, payload: { ...payload, session, ...(isTimed ? {} : { until }) } };
}
