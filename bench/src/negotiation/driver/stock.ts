import { type JsonObject } from '@proffer/core/json';
import {
  DECISION_MODE,
  HANDOFF_MODE,
  MACP_VERSION,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  PROPOSAL_MODE_VERSION,
  QUORUM_MODE,
  TASK_MODE,
} from '@proffer/core/negotiation';
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

const START = {
  intent: 'Agree on a delivery.',
  participants: PARTIES,
  mode_version: PROPOSAL_MODE_VERSION,
  configuration_version: 'configuration-1',
  policy_version: '',
  ttl_ms: 86_400_000,
};

/** The first two messages of a session; the order of the rest does not matter. */
export function opening(session: string): readonly [Parcel, Parcel] {
  return [
    startOf(PROPOSAL_MODE, session),
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

/** How a session of one mode is opened, message after message, and what can then be sent again and again. */
export interface Speech {
  readonly mode: string;
  readonly opening: readonly Line[];
  /** In turn. A mode in which everyone speaks once needs a new session after these. */
  readonly lines: readonly Line[];
  readonly isOnce?: true;
}

/** What one party says. */
export type Line = readonly [sender: PartyName, type: string, payload: JsonObject];

const TASK = { task_id: 'task-1' };
const HANDOFF = { handoff_id: 'handoff-1' };
const REQUEST = { request_id: 'request-1', reason: 'Fits the plan for the second quarter.' };
const OPTION = { proposal_id: OFFER, reason: 'Fits the plan for the second quarter.' };

/** The modes other than Proposal Mode. */
export const SPEECHES: readonly Speech[] = [
  {
    mode: DECISION_MODE,
    opening: [['buyer', 'Proposal', { proposal_id: OFFER, option: 'Delivery in May' }]],
    lines: [
      ['seller', 'Evaluation', { ...OPTION, recommendation: 'APPROVE', confidence: 0.5 }],
      ['buyer', 'Objection', { ...OPTION, severity: 'low' }],
    ],
  },
  {
    mode: TASK_MODE,
    opening: [
      ['buyer', 'TaskRequest', { ...TASK, title: 'Deliver in May' }],
      ['seller', 'TaskAccept', TASK],
    ],
    lines: [['seller', 'TaskUpdate', { ...TASK, progress: 0.5, message: 'Half of it is on its way.' }]],
  },
  {
    mode: HANDOFF_MODE,
    opening: [['buyer', 'HandoffOffer', { ...HANDOFF, target_participant: 'seller' }]],
    lines: [
      ['buyer', 'HandoffContext', { ...HANDOFF, content_type: 'text/plain', context: 'SGFsZiBvZiBpdA==' }],
    ],
  },
  {
    mode: QUORUM_MODE,
    opening: [['buyer', 'ApprovalRequest', { request_id: 'request-1', required_approvals: 2 }]],
    lines: [
      ['buyer', 'Approve', REQUEST],
      ['seller', 'Approve', REQUEST],
    ],
    isOnce: true,
  },
  {
    mode: MULTI_ROUND_MODE,
    opening: [],
    lines: [
      ['buyer', 'Contribute', { value: '9.50 each' }],
      ['buyer', 'Contribute', { value: '9.60 each' }],
    ],
  },
];

/** A message of a speech, under an id of its own. */
export function lineOf(mode: string, session: string, [sender, type, payload]: Line, id: string): Parcel {
  return parcel(session, sender, type, { id, payload, mode });
}

/** The start of a session in a mode. */
export function startOf(mode: string, session: string): Parcel {
  return parcel(session, 'buyer', 'SessionStart', { id: 'start', mode, payload: START });
}

/** Bytes of the gRPC message prefix. */
const PREFIX = 5;

function parcel(
  session_id: string,
  sender: PartyName,
  message_type: string,
  {
    id,
    payload,
    mode = PROPOSAL_MODE,
  }: { readonly id: string; readonly payload: JsonObject; readonly mode?: string },
): Parcel {
  const envelope = encodeEnvelope({
    macp_version: MACP_VERSION,
    mode,
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
