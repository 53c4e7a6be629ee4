import { type Capability, type CapabilitySource, parseCapability } from '../../capability/capability.js';
import { type Refusal, refuse } from '../../refusal/refusal.js';
import type { ParticipantRights } from '../context.js';
import { checkGrantable } from '../grants/decide-grant.js';
import type { Recognisable, Recorded } from '../records.js';
import type { SpaceState } from '../space/space.js';
import { endedByRemoval } from './given.js';

/** What lets a participant in that no configuration names (O-51). Times in milliseconds since 1970. */
export type Invitation = {
  /** The id of the inviting message. */
  readonly id: string;
  readonly inviter: string;
  readonly capabilities: readonly CapabilitySource[];
  /** The SHA-256 of the token, in hexadecimal. */
  readonly token: string;
  readonly until: number;
  readonly at: number;
  /** The inviter was configured: if it no longer is, the invitation is void. */
  readonly configured?: true;
};

/** What an inviter may always let others do: it has no effect until somebody decides who may. */
const INVITABLE: readonly CapabilitySource[] = ['mcp.proposal.*', 'mcpx.withdraw.proposal'];

/** Somebody was let in: with a new token, or again after a kick with what the configuration gives it (O-51, O-52). */
export type Invited = Recorded<
  'invited',
  AboutMember & {
    /** Absent for a participant of the configuration, which has its own tokens. */
    readonly invitation?: Omit<Invitation, 'id' | 'inviter' | 'at'>;
  }
>;

/** Somebody was removed, until somebody invites it again (O-52). */
export type Kicked = Recorded<'kicked', AboutMember & { readonly reason?: string }>;

export type MembershipRecord = Invited | Kicked;

/** In the stream of the participant that it is about, who sees it whatever `to` says. */
type AboutMember = Recognisable & { readonly participant: string; readonly audience: readonly string[] };

/** The invitation of a record; `undefined` if the participant has tokens of its own. */
export function invitationOf({ envelope, facts, principal, time }: Invited): Invitation | undefined {
  const { invitation } = facts;
  return invitation && { ...invitation, id: envelope.id, inviter: principal, at: time };
}

/** The invitation by which a participant may be here; `undefined` if there is none, or none any more. */
export function invitationInForce(space: SpaceState, name: string, now: number): Invitation | undefined {
  const invitation = space.participants.get(name)?.invitation;
  if (invitation === undefined || invitation.until <= now) return undefined;
  // Whoever is removed may have let in accomplices.
  const { inviter: by, at } = invitation;
  return endedByRemoval(space, { by, at }) ? undefined : invitation;
}

/**
 * What an invitation allows now: nothing that its inviter may not do now. `undefined` if it is void.
 *
 * @param inviter - what the inviter may do; absent if that is not known, as for one who signs in elsewhere
 */
export function invitedCapabilities(
  { capabilities, configured }: Invitation,
  inviter: Pick<ParticipantRights, 'capabilities'> | undefined,
): readonly CapabilitySource[] | undefined {
  if (inviter === undefined) return configured === true ? undefined : capabilities;
  const { sources } = inviter.capabilities;
  return capabilities.filter((source) => {
    const parsed = parseCapability(source);
    return parsed.ok && checkInvitable([parsed.value], sources) === undefined;
  });
}

/**
 * What an invited participant is to review policies (O-30, O-51): nobody whose approval counts, and at work for its inviter,
 * or for whom that one works. Otherwise an inviter could approve in two names, or what it had an invited one propose.
 */
export function invitedStanding(
  { inviter }: Pick<Invitation, 'inviter'>,
  rights: Pick<ParticipantRights, 'subject' | 'worksFor'> | undefined,
): { readonly isInvited: true; readonly worksFor: string } {
  return { isInvited: true, worksFor: rights?.worksFor ?? rights?.subject ?? inviter };
}

/** Why an inviter with these capabilities cannot give others those; a plain `*` also decides for others. */
export function checkInvitable(
  wanted: readonly Capability[],
  own: readonly CapabilitySource[],
): Refusal | undefined {
  const everything = wanted.findIndex(({ kind }) => kind.text === '*');
  if (everything === -1) return checkGrantable(wanted, [...own, ...INVITABLE]);
  const field = `payload.capabilities[${everything}]`;
  const sentence = `${field} is "*", which includes the rights to approve, grant and invite: they cannot be given.`;
  return refuse('not_grantable', sentence, { field, capability: '*' });
}
