import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import type { Standing } from '@proffer/core/operations';
import type { LimitsConfig } from '../config/index.js';
import {
  type Authenticator,
  type Company,
  capabilitiesIn,
  createAttempt,
  createBadMessageCounters,
  createRateLimiter,
  type Door,
  type Leave,
  type Principal,
  type Visitor,
} from '../door/index.js';
import type { Peers } from '../peers/index.js';
import type { Room } from './room.js';

/** A participant in a space, with what the transports need to serve it. */
export interface Guest {
  readonly name: string;
  readonly observer: boolean;
  readonly roles: readonly string[];
  readonly room: Room;
  /**
   * What it may currently send; a refusal once its credential, or its right to be here, is no longer valid.
   */
  readonly rights: () => Result<Standing>;
  /** The same for a message, before it is decoded; also a refusal when it is over its rate. */
  readonly attempt: () => Result<Standing>;
  /**
   * Counts one malformed message; a refusal when the connection, or the participant as a whole, had too many.
   */
  readonly countBadMessage: () => Refusal | undefined;
}

/** A guest on a long-lived connection. */
export interface StayingGuest {
  readonly guest: Guest;
  readonly leave: Leave;
}

/** Admits visitors to spaces. */
export interface Guests {
  /** Current senders. */
  readonly company: Company;
  /** The owner of a token, in any of its spaces; counts as one message. */
  identify(token: string | undefined): Promise<Result<Principal>>;
  /** The same for a request whose message is counted later. */
  recognize(token: string | undefined): Promise<Result<Principal>>;
  /** For one request. */
  admit(token: string | undefined, space: string): Promise<Result<Guest>>;
  /** For one message of a participant that another service vouches for, under the name of that credential. */
  admitVouched(name: string, credential: string, space: string): Result<Guest>;
  /** For a long-lived connection; it counts until `leave` is called. */
  connect(token: string | undefined, space: string): Promise<Result<StayingGuest>>;
}

export interface GuestsOptions {
  readonly door: Door;
  readonly limits: LimitsConfig;
  readonly clock: () => number;
  /** Shares rates with all gateways on the journal, if there are others. */
  readonly peers?: Pick<Peers, 'share'> | undefined;
  /** The existing spaces. */
  readonly spaces: ReadonlySet<string>;
  /** The open ones: their history is replayed. */
  readonly rooms: ReadonlyMap<string, Room>;
}

export function createGuests({ door, limits, clock, peers, spaces, rooms }: GuestsOptions): Guests {
  const { company } = door;
  const perParticipant = createRateLimiter(limits.messagesPerParticipant);
  const rate = peers?.share('messages', perParticipant) ?? perParticipant;
  const countBadOf = createBadMessageCounters(limits.badMessagesPerConnection);

  function letIn(visitor: Visitor, space: string): Result<Guest> {
    const principal = visitor.current();
    if (!principal.ok) return principal;
    const allowed = capabilitiesIn(principal.value, space);
    if (!allowed.ok) return allowed;
    const room = rooms.get(space);
    if (room === undefined) return failure(refuseClosed(space, spaces.has(space)));
    return success(createGuest(visitor, principal.value, room));
  }

  function createGuest(visitor: Visitor, { isObserver, roles }: Principal, room: Room): Guest {
    const { name } = visitor;
    const countBad = countBadOf(name);
    let known: Principal | undefined;
    let standing: Result<Standing> | undefined;
    function rights(): Result<Standing> {
      const current = visitor.current();
      if (!current.ok) return current;
      // The same object as long as nothing changed, so that what is derived from it is computed once.
      if (standing !== undefined && current.value === known) return standing;
      known = current.value;
      const capabilities = capabilitiesIn(known, room.host.settings.name);
      standing = capabilities.ok ? success(standingOf(known, capabilities.value)) : capabilities;
      return standing;
    }
    return {
      name,
      observer: isObserver,
      roles,
      room,
      rights,
      attempt: createAttempt({ name, rights, rate, company, clock }),
      countBadMessage: () => countBad(clock()),
    };
  }

  async function recognize(token: string | undefined): Promise<Result<Principal>> {
    const entered = await door.enter(token);
    return entered.ok ? entered.value.current() : entered;
  }

  return {
    company,
    recognize,
    async identify(token) {
      const principal = await recognize(token);
      const refused = principal.ok ? rate.take(principal.value.name, clock()) : undefined;
      return refused === undefined ? principal : failure(refused);
    },
    async admit(token, space) {
      const entered = await door.enter(token);
      return entered.ok ? letIn(entered.value, space) : entered;
    },
    admitVouched(name, credential, space) {
      const vouched = door.vouch(name, credential);
      return vouched.ok ? letIn(vouched.value, space) : vouched;
    },
    async connect(token, space) {
      const entered = await door.enter(token);
      if (!entered.ok) return entered;
      const guest = letIn(entered.value, space);
      if (!guest.ok) return guest;
      const staying = entered.value.stay();
      return staying.ok ? success({ guest: guest.value, leave: staying.value }) : staying;
    },
  };
}

function refuseClosed(space: string, exists: boolean): Refusal {
  return exists
    ? refuse('unavailable', `The space ${quote(space)} is not open yet.`, { space })
    : refuse('unknown_space', `Space ${quote(space)} not found.`, { space });
}

/** The rights of a participant in a space, present or not, if the operator knows it by name. */
export function standingByName(
  { named }: Pick<Authenticator, 'named'>,
  name: string,
  space: string,
): Standing | undefined {
  const principal = named(name);
  const capabilities = principal?.spaces.get(space);
  return principal && capabilities && standingOf(principal, capabilities);
}

/**
 * What core's rules need to know about a participant in a space; unset fields are absent, so that records do
 * not contain them.
 */
function standingOf(principal: Principal, capabilities: Standing['capabilities']): Standing {
  const { isObserver, runsOwnCalls, reviewOnly, isConfigured, roles, subject, worksFor } = principal;
  return {
    capabilities,
    isObserver,
    runsOwnCalls,
    ...(reviewOnly ? { reviewOnly } : {}),
    ...(isConfigured ? { isConfigured } : {}),
    ...(roles.length === 0 ? {} : { roles }),
    ...(subject === undefined ? {} : { subject }),
    ...(worksFor === undefined ? {} : { worksFor }),
  };
}
