import { type JsonObject } from '@proffer/core/json';
import { MACP_VERSION, PROPOSAL_MODE, PROPOSAL_MODE_VERSION } from '@proffer/core/negotiation';
import { encodeEnvelope, RUNTIME_SERVICE } from '@proffer/wire';

/** The participants of every session. Each has its own connection; tokens equal names. */
export const PARTIES = ['buyer', 'seller'] as const;
export type PartyName = (typeof PARTIES)[number];

/** A message in gRPC framing. The bytes are the same for `Send` and `StreamSession`. */
export interface Parcel {
  readonly sender: PartyName;
  readonly bytes: Buffer;
}

/** The offer at the start of every session. */
const OFFER = 'offer-0';

/** The first two messages of a session; the order of the rest does not matter. */
export function opening(session: string): readonly [Parcel, Parcel] {
  return [
    parcel(session, 'buyer', 'SessionStart', {
      id: 'start',
      payload: {
        intent: 'Agree on a delivery.',
        participants: PARTIES,
        mode_version: PROPOSAL_MODE_VERSION,
        configuration_version: 'configuration-1',
        policy_version: '',
        ttl_ms: 86_400_000,
      },
    }),
    parcel(session, 'buyer', 'Proposal', { id: OFFER, payload: offer(OFFER) }),
  ];
}

/** A message in an endless session: of four, one makes an offer, one rejects, two accept. */
export function remark(session: string, number: number, sender = partyOf(number)): Parcel {
  const id = `message-${number}`;
  switch (number % 4) {
    case 0:
      return parcel(session, sender, 'Proposal', { id, payload: offer(id) });
    case 1:
      return parcel(session, sender, 'Reject', {
        id,
        payload: { proposal_id: OFFER, terminal: false, reason: 'Too late in the year.' },
      });
    default:
      return parcel(session, sender, 'Accept', {
        id,
        payload: { proposal_id: OFFER, reason: 'Fits the plan for the second quarter.' },
      });
  }
}

function partyOf(number: number): PartyName {
  return PARTIES[Math.floor(number / 2) % 2] ?? 'buyer';
}

function offer(proposal_id: string): JsonObject {
  return {
    proposal_id,
    title: 'Delivery in May',
    summary: '1,000 at 9.50 each',
    details: '',
    tags: [],
  };
}

/** Bytes of the gRPC message prefix. */
const PREFIX = 5;

function parcel(
  session_id: string,
  sender: PartyName,
  message_type: string,
  { id, payload }: { readonly id: string; readonly payload: JsonObject },
): Parcel {
  const envelope = encodeEnvelope({
    macp_version: MACP_VERSION,
    mode: PROPOSAL_MODE,
    message_type,
    message_id: id,
    session_id,
    sender,
    // The reference runtime computes the end of a session from here.
    timestamp_unix_ms: Date.now(),
    payload,
  });
  const bytes = RUNTIME_SERVICE.send.request.write({ envelope }, PREFIX);
  bytes[0] = 0;
  bytes.writeUInt32BE(bytes.length - PREFIX, 1);
  return { sender, bytes };
}
