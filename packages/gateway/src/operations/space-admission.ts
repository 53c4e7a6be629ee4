import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { type ParticipantRights, refuseKicked } from '@proffer/core/operations';
import type { LimitsConfig } from '../config/index.js';
import {
  type ActiveSenders,
  type Authenticator,
  type Caller,
  type CallerIdentity,
  capabilitiesIn,
  createBadMessageCounters,
  createRateLimiter,
  createRightsAndRateCheck,
  type Door,
  type ReleaseConnection,
} from '../door/index.js';
import type { Peers } from '../peers/index.js';
import type { LiveSpace } from './live-space.js';

/** A participant in a space, with what the transports need to serve it. */
export interface SpaceCaller {
  readonly name: string;
  readonly observer: boolean;
  readonly roles: readonly string[];
  readonly liveSpace: LiveSpace;
  /**
   * What it may currently send; a refusal once its credential, or its right to be here, is no longer valid.
   */
  readonly rights: () => Result<ParticipantRights>;
  /** The rights for one message, before it is decoded; also a refusal when it is over its rate. */
  readonly checkRightsAndRate: () => Result<ParticipantRights>;
  /**
   * Counts one malformed message; a refusal when the connection, or the participant as a whole, had too many.
   */
  readonly countBadMessage: () => Refusal | undefined;
}

/** A caller on a long-lived connection. */
export interface ConnectedCaller {
  readonly caller: SpaceCaller;
  readonly leave: ReleaseConnection;
}

/** Admits callers to spaces. */
export interface SpaceAdmission {
  /** Current senders. */
  readonly activeSenders: ActiveSenders;
  /** The owner of a token, in any of its spaces; counts as one message. */
  identify(token: string | undefined): Promise<Result<CallerIdentity>>;
  /** The owner of a token, for a request whose message is counted later. */
  recognize(token: string | undefined): Promise<Result<CallerIdentity>>;
  /** For one request. */
  admit(token: string | undefined, space: string): Promise<Result<SpaceCaller>>;
  /** For one message of a participant that another service vouches for, under the name of that credential. */
  admitVouched(name: string, credential: string, space: string): Result<SpaceCaller>;
  /** Whether somebody was removed from a space (O-52), whatever their credential. */
  isRemoved(name: string, space: string): boolean;
  /** For a long-lived connection; it counts until `leave` is called. */
  connect(token: string | undefined, space: string): Promise<Result<ConnectedCaller>>;
}

export interface SpaceAdmissionOptions {
  readonly door: Door;
  readonly limits: LimitsConfig;
  readonly clock: () => number;
  /** Shares rates with all gateways on the journal, if there are others. */
  readonly peers?: Pick<Peers, 'share'> | undefined;
  /** The existing spaces. */
  readonly spaces: ReadonlySet<string>;
  /** The open ones: their history is replayed. */
  readonly liveSpaces: ReadonlyMap<string, LiveSpace>;
}

export function createSpaceAdmission({
  door,
  limits,
  clock,
  peers,
  spaces,
  liveSpaces,
}: SpaceAdmissionOptions): SpaceAdmission {
  const { activeSenders } = door;
  const perParticipant = createRateLimiter(limits.messagesPerParticipant);
  const rate = peers?.share('messages', perParticipant) ?? perParticipant;
  const countBadOf = createBadMessageCounters(limits.badMessagesPerConnection);

  function letIn(caller: Caller, space: string): Result<SpaceCaller> {
    const identity = caller.current();
    if (!identity.ok) return identity;
    const allowed = capabilitiesIn(identity.value, space);
    if (!allowed.ok) return allowed;
    const liveSpace = liveSpaces.get(space);
    if (liveSpace === undefined) return failure(refuseUnopenedSpace(space, spaces.has(space)));
    const kicked = refuseKicked(liveSpace.host.state, caller.name);
    if (kicked !== undefined) return failure(kicked);
    return success(createSpaceCaller(caller, identity.value, liveSpace));
  }

  /** Whoever was removed may have been let in again at another gateway just now (O-52). */
  async function letInNow(caller: Caller, space: string): Promise<Result<SpaceCaller>> {
    const known = letIn(caller, space);
    if (known.ok || known.refusal.code !== 'kicked') return known;
    // If the journal cannot be read, it stays removed for now.
    await liveSpaces
      .get(space)
      ?.catchUp()
      .catch(() => {});
    return letIn(caller, space);
  }

  function createSpaceCaller(
    caller: Caller,
    { isObserver, roles }: CallerIdentity,
    liveSpace: LiveSpace,
  ): SpaceCaller {
    const { name } = caller;
    const countBad = countBadOf(name);
    let known: CallerIdentity | undefined;
    let granted: Result<ParticipantRights> | undefined;
    function rights(): Result<ParticipantRights> {
      const current = caller.current();
      if (!current.ok) return current;
      const kicked = refuseKicked(liveSpace.host.state, name);
      if (kicked !== undefined) return failure(kicked);
      // The same object as long as nothing changed, so that what is derived from it is computed once.
      if (granted !== undefined && current.value === known) return granted;
      known = current.value;
      const capabilities = capabilitiesIn(known, liveSpace.host.settings.name);
      granted = capabilities.ok ? success(rightsOf(known, capabilities.value)) : capabilities;
      return granted;
    }
    return {
      name,
      observer: isObserver,
      roles,
      liveSpace,
      rights,
      checkRightsAndRate: createRightsAndRateCheck({ name, rights, rate, activeSenders, clock }),
      countBadMessage: () => countBad(clock()),
    };
  }

  async function recognize(token: string | undefined): Promise<Result<CallerIdentity>> {
    const entered = await door.enter(token);
    return entered.ok ? entered.value.current() : entered;
  }

  return {
    activeSenders,
    recognize,
    async identify(token) {
      const identity = await recognize(token);
      const refused = identity.ok ? rate.take(identity.value.name, clock()) : undefined;
      return refused === undefined ? identity : failure(refused);
    },
    async admit(token, space) {
      const entered = await door.enter(token);
      return entered.ok ? await letInNow(entered.value, space) : entered;
    },
    admitVouched(name, credential, space) {
      const vouched = door.vouch(name, credential);
      return vouched.ok ? letIn(vouched.value, space) : vouched;
    },
    isRemoved(name, space) {
      const state = liveSpaces.get(space)?.host.state;
      return state !== undefined && refuseKicked(state, name) !== undefined;
    },
    async connect(token, space) {
      const entered = await door.enter(token);
      if (!entered.ok) return entered;
      const caller = await letInNow(entered.value, space);
      if (!caller.ok) return caller;
      const staying = entered.value.stay();
      return staying.ok ? success({ caller: caller.value, leave: staying.value }) : staying;
    },
  };
}

function refuseUnopenedSpace(space: string, exists: boolean): Refusal {
  return exists
    ? refuse('unavailable', `The space ${quote(space)} is not open yet.`, { space })
    : refuse('unknown_space', `Space ${quote(space)} not found.`, { space });
}

/** The rights of a participant in a space, present or not, if the operator knows it by name. */
export function rightsByName(
  { named }: Pick<Authenticator, 'named'>,
  name: string,
  space: string,
): ParticipantRights | undefined {
  const identity = named(name, space);
  const capabilities = identity?.spaces.get(space);
  return identity && capabilities && rightsOf(identity, capabilities);
}

/**
 * What core's rules need to know about a participant in a space; unset fields are absent, so that records do
 * not contain them.
 */
function rightsOf(
  identity: CallerIdentity,
  capabilities: ParticipantRights['capabilities'],
): ParticipantRights {
  const { isObserver, runsOwnCalls, reviewOnly, isConfigured, isInvited, roles, subject, worksFor } =
    identity;
  return {
    capabilities,
    isObserver,
    runsOwnCalls,
    ...(reviewOnly ? { reviewOnly } : {}),
    ...(isConfigured ? { isConfigured } : {}),
    ...(isInvited === true ? { isInvited } : {}),
    ...(roles.length === 0 ? {} : { roles }),
    ...(subject === undefined ? {} : { subject }),
    ...(worksFor === undefined ? {} : { worksFor }),
  };
}
