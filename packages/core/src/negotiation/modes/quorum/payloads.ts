import { id } from '../../wire/identifiers.js';
import { MAX_PARTICIPANTS, type PayloadReaders } from '../../wire/payloads.js';
import { bytes, messageOf, text, wholeNumber } from '../../wire/readers.js';

/** What is to be approved, and by how many. */
export type ApprovalRequestPayload = {
  readonly request_id: string;
  readonly action: string;
  readonly summary: string;
  /** Base64. */
  readonly details: string;
  /** At most as many as there are participants. */
  readonly required_approvals: number;
};

/** A sender's one ballot on the request. */
export type BallotPayload = { readonly request_id: string; readonly reason: string };

/** The payload of each message that only Quorum Mode has. */
export type QuorumModePayloads = {
  readonly ApprovalRequest: ApprovalRequestPayload;
  readonly Approve: BallotPayload;
  readonly Reject: BallotPayload;
  readonly Abstain: BallotPayload;
};

const ballot = messageOf<BallotPayload>({ request_id: id, reason: text });

/** Their readers. */
export const QUORUM_READERS: PayloadReaders<QuorumModePayloads> = {
  ApprovalRequest: messageOf<ApprovalRequestPayload>({
    request_id: id,
    action: text,
    summary: text,
    details: bytes,
    required_approvals: wholeNumber(1, MAX_PARTICIPANTS),
  }),
  Approve: ballot,
  Reject: ballot,
  Abstain: ballot,
};
