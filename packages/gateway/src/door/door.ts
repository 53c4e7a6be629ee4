import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import { quote } from '@proffer/core/json';
import { type Standing } from '@proffer/core/operations';
import type { LimitsConfig } from '../config/index.js';
import type { Room } from '../operations/index.js';
import { type Authenticator, capabilitiesIn, type Principal } from './auth/index.js';
import {
  type Company,
  type ConnectionLimiter,
  createBadMessageCounters,
  createCompany,
  createRateLimiter,
  type Leave,
} from './limits/index.js';

/** Somebody who may be in a space, with what the transports need to serve them. */
export interface Guest {
  readonly name: string;
  readonly observer: boolean;
  readonly roles: readonly string[];
  readonly room: Room;
  /** What it may send, as of now; a refusal once its credential, or its right to be here, no longer counts. */
  readonly rights: () => Result<Standing>;
  /** The same for a message that it sends; also a refusal when it sends too much. */
  readonly mayTry: () => { readonly standing: Standing } | { readonly refused: Refusal };
  /** Counts one message that could not be read; a refusal when the connection, or all of the participant, had too many. */
  readonly countBadMessage: () => Refusal | undefined;
}

export type Admission =
  | { readonly guest: Guest; readonly refused?: never }
  | { readonly refused: Refusal; readonly guest?: never };

/** Decides who comes in: authentication, the right to enter the space, the number of connections. */
export interface Door {
  /** Those who send. */
  readonly company: Company;
  /** Who a token stands for, wherever it may enter; counts as one message. */
  identify(token: string | undefined): Promise<Result<Principal>>;
  /** The same for a request whose message is counted later. */
  recognize(token: string | undefined): Promise<Result<Principal>>;
  /** For one request. */
  admit(token: string | undefined, space: string): Promise<Admission>;
  /** For one message of a participant whom another service vouches for, under the name of that credential. */
  admitVouched(name: string, credential: string, space: string): Admission;
  /** For a connection that stays; it counts until `leave` is called. */
  connect(token: string | undefined, space: string): Promise<Admission & { readonly leave?: Leave }>;
}

export interface DoorOptions {
  readonly authenticator: Authenticator;
  readonly limits: LimitsConfig;
  /** Shared with the other ways in: a token has so many connections, of whichever kind. */
  readonly connections: ConnectionLimiter;
  readonly clock: () => number;
  /** The spaces that there are. */
  readonly spaces: ReadonlySet<string>;
  /** Those that are open: their history is replayed. */
  readonly rooms: ReadonlyMap<string, Room>;
}

export function createDoor(options: DoorOptions): Door {
  const { authenticator, limits, connections, clock, spaces, rooms } = options;
  const rate = createRateLimiter(limits.messagesPerParticipant);
  const countBadOf = createBadMessageCounters(limits.badMessagesPerConnection);
  const company = createCompany();

  async function enter(
    token: string | undefined,
    space: string,
  ): Promise<Admission & { readonly principal?: Principal }> {
    return letIn(await authenticator.authenticate(token), space);
  }

  function letIn(
    authenticated: Result<Principal>,
    space: string,
  ): Admission & { readonly principal?: Principal } {
    if (!authenticated.ok) return { refused: authenticated.refusal };
    const principal = authenticated.value;
    const allowed = capabilitiesIn(principal, space);
    if (!allowed.ok) return { refused: allowed.refusal };
    const room = rooms.get(space);
    if (room === undefined) return { refused: refuseClosed(space, spaces.has(space)) };
    return { principal, guest: createGuest(principal, room) };
  }

  function createGuest(authenticated: Principal, room: Room): Guest {
    const countBad = countBadOf(authenticated.name);
    let principal = authenticated;
    let standing: Result<Standing> | undefined;
    function rights(): Result<Standing> {
      const current = authenticator.current(principal);
      if (!current.ok) return current;
      // The same object as long as nothing changed: what follows from it is worked out once.
      if (standing !== undefined && current.value === principal) return standing;
      principal = current.value;
      const capabilities = capabilitiesIn(principal, room.host.settings.name);
      standing = capabilities.ok ? success(standingOf(principal, capabilities.value)) : capabilities;
      return standing;
    }
    return {
      name: principal.name,
      observer: principal.isObserver,
      roles: principal.roles,
      room,
      rights,
      mayTry() {
        const allowed = rights();
        if (!allowed.ok) return { refused: allowed.refusal };
        company.came(principal.name);
        const refused = rate.take(principal.name, clock());
        return refused === undefined ? { standing: allowed.value } : { refused };
      },
      countBadMessage: () => countBad(clock()),
    };
  }

  return {
    company,
    async identify(token) {
      const authenticated = await authenticator.authenticate(token);
      const refused = authenticated.ok ? rate.take(authenticated.value.name, clock()) : undefined;
      return refused === undefined ? authenticated : failure(refused);
    },
    recognize: (token) => authenticator.authenticate(token),
    async admit(token, space) {
      return await enter(token, space);
    },
    admitVouched: (name, credential, space) => letIn(authenticator.vouchedFor(name, credential), space),
    async connect(token, space) {
      const { principal, ...admission } = await enter(token, space);
      if (principal === undefined) return admission;
      const opened = connections.open(principal.credential);
      return opened.ok ? { ...admission, leave: opened.value } : { refused: opened.refusal };
    },
  };
}

function refuseClosed(space: string, exists: boolean): Refusal {
  return exists
    ? refuse('unavailable', `The space ${quote(space)} is not open yet.`, { space })
    : refuse('unknown_space', `There is no space ${quote(space)}.`, { space });
}

/** What somebody may do in a space who need not be there: one that the operator knows by name. */
export function standingByName(
  { named }: Pick<Authenticator, 'named'>,
  name: string,
  space: string,
): Standing | undefined {
  const principal = named(name);
  const capabilities = principal?.spaces.get(space);
  return principal && capabilities && standingOf(principal, capabilities);
}

/** What core's rules ask of somebody in a space; what is not said is not there, so that records do not have it. */
function standingOf(principal: Principal, capabilities: Standing['capabilities']): Standing {
  const { isObserver, runsOwnCalls, reviewOnly, roles, subject, worksFor } = principal;
  return {
    capabilities,
    isObserver,
    runsOwnCalls,
    ...(reviewOnly ? { reviewOnly } : {}),
    ...(roles.length === 0 ? {} : { roles }),
    ...(subject === undefined ? {} : { subject }),
    ...(worksFor === undefined ? {} : { worksFor }),
  };
}
