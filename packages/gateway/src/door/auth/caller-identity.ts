import { failure, type Result, refuse, success } from '@proffer/core';
import { authorize, type CompiledCapabilities, compileCapabilities } from '@proffer/core/capability';
import { defined, quote } from '@proffer/core/json';
import { type SessionCaller } from '@proffer/core/negotiation';
import type { NegotiationFlags, ParticipantConfig } from '../../config/index.js';

/** An authenticated participant's rights in negotiations. */
export interface NegotiationRights extends SessionCaller {
  /** The maximum number of its open sessions. Absent: the general limit. */
  readonly maxOpenSessions?: number;
  readonly mayManageModes: boolean;
}

/** The authenticated participant, its credential, and its rights. Never contains the credential itself. */
export interface CallerIdentity {
  /** The only possible value of `from` (O-2) and, except for `actAs`, of `sender` (N-7). */
  readonly name: string;
  /**
   * Names the credential: `token:NAME#1`, `jwt:NAME`, `dev:NAME`. Safe to log; limits per token count by it.
   */
  readonly credential: string;
  /** When the credential expires, in milliseconds since 1970. Absent: never. */
  readonly expiresAt?: number;
  /** The spaces that it may enter, and its capabilities there. */
  readonly spaces: ReadonlyMap<string, CompiledCapabilities>;
  /** Whether it sees private messages between others in a space (O-21). */
  readonly isObserver: boolean;
  /** Whether it may run what it proposed itself (O-26). */
  readonly runsOwnCalls: boolean;
  /** Whether it may only review: its requests must approve a proposal. */
  readonly reviewOnly: boolean;
  /** Whether the configuration names it. Its grants and delegations are valid only while that is so. */
  readonly isConfigured: boolean;
  /** Whether it was invited to its space (O-51): it takes part in nothing else, not in negotiations either. */
  readonly isInvited?: true;
  /** The caller's roles in review policies (O-28). */
  readonly roles: readonly string[];
  /** The person behind it (O-30). Absent: unknown. */
  readonly subject?: string;
  /** The person it works for (O-30). Absent: unknown. */
  readonly worksFor?: string;
  readonly negotiation: NegotiationRights;
}

/**
 * The capabilities of a caller in a space. Refuses with `forbidden_space`, in the same words whether
 * the space exists or not.
 */
export function capabilitiesIn(identity: CallerIdentity, space: string): Result<CompiledCapabilities> {
  const capabilities = identity.spaces.get(space);
  if (capabilities !== undefined) return success(capabilities);
  const what = `${quote(identity.name)} may not enter the space ${quote(space)}.`;
  return failure(refuse('forbidden_space', what, { space, your_spaces: [...identity.spaces.keys()] }));
}

/** Whether someone is an operator of a space, that is, may pause its approvals. */
export function isOperatorIn(
  { name, spaces }: Pick<CallerIdentity, 'name' | 'spaces'>,
  space: string,
): boolean {
  const capabilities = spaces.get(space);
  const pause = { from: name, kind: 'mcpx.pause.approvals', payload: {} };
  return capabilities !== undefined && authorize(capabilities, pause) === undefined;
}

/** A caller with the rights that the configuration gives it. `spaces` can be shared between those of one participant. */
export function createCallerIdentity(
  name: string,
  credential: string,
  rights: ParticipantConfig,
  spaces: CallerIdentity['spaces'] = compileSpaces(rights),
): CallerIdentity {
  const { subject, worksFor } = rights;
  return {
    name,
    credential,
    spaces,
    isObserver: rights.observer,
    runsOwnCalls: rights.runsOwnCalls,
    reviewOnly: rights.reviewOnly,
    isConfigured: true,
    roles: rights.roles,
    ...defined({ subject, worksFor }),
    negotiation: negotiationRights(name, rights.negotiation),
  };
}

/** Compiles the capabilities of a participant, space by space. */
export function compileSpaces({ spaces }: Pick<ParticipantConfig, 'spaces'>): CallerIdentity['spaces'] {
  return new Map(Array.from(spaces, ([space, capabilities]) => [space, compileCapabilities(capabilities)]));
}

/** Converts configured flags to the form of core's rules. */
function negotiationRights(name: string, flags: NegotiationFlags): NegotiationRights {
  const { actAs, allowedModes, maxOpenSessions } = flags;
  return {
    name,
    actAs,
    mayStartSessions: flags.canStartSessions,
    mayManageModes: flags.canManageModeRegistry,
    isObserver: flags.isObserver,
    ...defined({ allowedModes, maxOpenSessions }),
  };
}
