import { timingSafeEqual } from 'node:crypto';
import { type Result, success } from '@proffer/core';
import { compileCapabilities, parseCapability } from '@proffer/core/capability';
import {
  type Invitation,
  invitedCapabilities,
  invitedStanding,
  type ParticipantRights,
} from '@proffer/core/operations';
import { unauthenticated } from './bearer.js';
import type { CallerIdentity } from './caller-identity.js';

/** Where invitations are found: the journal has them, by space (O-51). */
export interface InvitationSource {
  /** The one in force for a participant of a space. */
  find(space: string, name: string): Invitation | undefined;
  /** What its inviter may do in the space now; `undefined` if that is not known. */
  rightsOfInviter(space: string, inviter: string): ParticipantRights | undefined;
  /** Resolves when everything is known that other gateways had written by now. */
  catchUp(space: string): Promise<void>;
}

/** Callers that were invited to a space. */
export interface InvitedCallers {
  /** The one with a token of this SHA-256. */
  withToken(space: string, name: string, digest: Buffer): Result<CallerIdentity>;
  /** By name alone. */
  named(space: string, name: string): Result<CallerIdentity>;
}

/** The callers that were invited: the same object as long as nothing has changed for them. */
export function createInvitedCallers(source: InvitationSource): InvitedCallers {
  const known = new WeakMap<
    Invitation,
    { readonly by: ParticipantRights | undefined; readonly as: CallerIdentity }
  >();

  function callerOf(space: string, name: string, invitation: Invitation): Result<CallerIdentity> {
    const by = source.rightsOfInviter(space, invitation.inviter);
    const before = known.get(invitation);
    if (before !== undefined && before.by?.capabilities === by?.capabilities) return success(before.as);
    const sources = invitedCapabilities(invitation, by);
    if (sources === undefined) return ended();
    const capabilities = compileCapabilities(
      sources.flatMap((each) => {
        const parsed = parseCapability(each);
        return parsed.ok ? [parsed.value] : [];
      }),
    );
    const as: CallerIdentity = {
      name,
      credential: `invitation:${space}/${name}`,
      spaces: new Map([[space, capabilities]]),
      isObserver: false,
      runsOwnCalls: false,
      reviewOnly: false,
      isConfigured: false,
      ...invitedStanding(invitation, by),
      roles: [],
      negotiation: { name, actAs: [], mayStartSessions: false, mayManageModes: false, isObserver: false },
    };
    known.set(invitation, { by, as });
    return success(as);
  }

  return {
    withToken(space, name, digest) {
      const invitation = source.find(space, name);
      const isIts = invitation && timingSafeEqual(Buffer.from(invitation.token, 'hex'), digest);
      return isIts === true ? callerOf(space, name, invitation) : ended();
    },
    named(space, name) {
      const invitation = source.find(space, name);
      return invitation === undefined ? ended() : callerOf(space, name, invitation);
    },
  };
}

const ended = () => unauthenticated('The invitation has ended.', { reason: 'revoked' });
