import { failure, type Refusal, success } from '@proffer/core';
import { textOf } from '@proffer/core/json';
import { invitationInForce, type OperationRecord, type ParticipantRights } from '@proffer/core/operations';
import type { InvitationSource } from '../door/index.js';
import { createInvitationToken, createKeyCode } from '../token.js';
import type { LiveSpace } from './live-space.js';
import type { Incoming, IssuedSecret, SettleMessage } from './space-message-outcome.js';

/** A new secret, its hash for the journal, and how its holder is told about it. */
interface NewSecret {
  readonly hash: string;
  readonly shown: Pick<IssuedSecret, 'token' | 'code'>;
  /** The kind of the message to the sender. */
  readonly kind: string;
}

/** The messages that ask for a secret: a token for somebody who is invited (O-51), and a code to register a key (O-49). */
const SECRETS: Readonly<Record<string, (space: string, participant: string) => NewSecret>> = {
  'mcpx.invite.participant': (space, participant) => {
    const { token, hash } = createInvitationToken(space, participant);
    return { hash, shown: { token }, kind: 'system.invitation' };
  },
  'mcpx.allow.key': () => {
    const { token: code, hash } = createKeyCode();
    return { hash, shown: { code }, kind: 'system.key-code' };
  },
};

/** Whether a message asks for a secret that only its sender learns. */
export const asksForSecret = ({ envelope }: Incoming): boolean => Object.hasOwn(SECRETS, envelope.kind);

export interface InvitingOptions {
  readonly space: string;
  /** Why nobody can be invited under a name. */
  readonly checkInvitable: (name: string) => Refusal | undefined;
  /** Tells the sender the secret, on all its connections. */
  readonly tell: (sender: string, kind: string, issued: IssuedSecret, about: string) => void;
}

/**
 * A message with a new secret. The journal gets its hash; the secret itself goes to the sender once the record is
 * durable, and is stored nowhere. A repeat gets none.
 */
export function withNewToken(
  incoming: Incoming,
  { space, checkInvitable, tell }: InvitingOptions,
  settle: SettleMessage,
): { readonly incoming: Incoming; readonly settle: SettleMessage } {
  const { id, from, kind: asked, payload } = incoming.envelope;
  const participant = textOf(payload['participant']);
  const secret = SECRETS[asked]?.(space, participant);
  if (secret === undefined) return { incoming, settle };
  const { hash, shown, kind } = secret;
  const refusal = asked === 'mcpx.invite.participant' ? checkInvitable(participant) : undefined;
  return {
    incoming: { ...incoming, newToken: refusal === undefined ? success(hash) : failure(refusal) },
    settle(outcome) {
      const record = outcome.status === 'accepted' ? outcome.records[0] : undefined;
      const made = record === undefined ? undefined : madeBy(record);
      if (made?.token !== hash) return settle(outcome);
      const issued = { status: 'created', participant, ...shown, until: made.until } as const;
      settle({ ...outcome, issued });
      tell(from, kind, issued, id);
    },
  };
}

/** The hash of the secret that a record is about, and how long the secret is valid. */
function madeBy(record: OperationRecord): { readonly token: string; readonly until: number } | undefined {
  if (record.type === 'key_allowed') return { token: record.facts.hash, until: record.facts.until };
  return record.type === 'invited' ? record.facts.invitation : undefined;
}

/** The invitations in the open spaces. */
export function createInvitationSource(
  liveSpaces: ReadonlyMap<string, LiveSpace>,
  clock: () => number,
  rightsOfInviter: (space: string, inviter: string) => ParticipantRights | undefined,
): InvitationSource {
  return {
    find(space, name) {
      const liveSpace = liveSpaces.get(space);
      return liveSpace && invitationInForce(liveSpace.host.state, name, clock());
    },
    rightsOfInviter,
    async catchUp(space) {
      // If the journal cannot be read, the token is unknown for now.
      await liveSpaces
        .get(space)
        ?.catchUp()
        .catch(() => {});
    },
  };
}
