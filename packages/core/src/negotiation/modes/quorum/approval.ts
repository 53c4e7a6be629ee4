import { VersionedMap } from '../../../collections/versioned-map.js';
import { throwUnsupported } from '../../../record/record.js';
import type { MacpEnvelope } from '../../wire/macp-envelope.js';
import type { CommitmentPayload } from '../../wire/payloads.js';
import type { ModeMessage } from '../mode.js';
import type { QuorumModePayloads } from './payloads.js';
import type { QuorumTerms } from './rules.js';

/** The phase of an approval: before the request, while ballots are cast, and after the outcome. */
export type QuorumPhase = 'Pending' | 'Voting' | 'Committed';

/** A participant's one ballot. */
export type Ballot = 'Approve' | 'Reject' | 'Abstain';

/**
 * The state of an approval: the result of the accepted messages, and no more than the rules need. Every
 * step costs the same, however long the session is (I-8).
 */
export interface ApprovalState {
  /** What was asked for; undefined before that. */
  readonly request?: { readonly id: string; readonly required: number } | undefined;
  /** The ballot of each participant who cast one. */
  readonly ballots: VersionedMap<Ballot>;
  /** How many ballots approve. */
  readonly approvals: number;
  /** The outcome; there is never a second one (I-2). */
  readonly commitment?: { readonly by: string; readonly payload: CommitmentPayload } | undefined;
}

/** The messages of the mode, as opposed to those of the session. */
export type QuorumEnvelope = ModeMessage<QuorumModePayloads>;

/** An approval that nobody has asked for yet. */
export const NOTHING_REQUESTED: ApprovalState = { ballots: VersionedMap.empty(), approvals: 0 };

/**
 * The approval after one more accepted message. Whether it may be accepted is decided before.
 *
 * @throws Error for an unknown message type
 */
export function applyToApproval(before: ApprovalState, envelope: QuorumEnvelope): ApprovalState {
  const { request, ballots, approvals, commitment } = before;
  const { message_type, sender } = envelope;
  switch (message_type) {
    case 'ApprovalRequest': {
      const { request_id: id, required_approvals: required } = envelope.payload;
      return { request: { id, required }, ballots, approvals, commitment };
    }
    case 'Approve':
    case 'Reject':
    case 'Abstain':
      return {
        request,
        ballots: ballots.set(sender, message_type),
        approvals: approvals + (message_type === 'Approve' ? 1 : 0),
        commitment,
      };
    case 'Commitment':
      return { request, ballots, approvals, commitment: { by: sender, payload: envelope.payload } };
    default:
      return throwUnsupported('message', (envelope satisfies never as MacpEnvelope).message_type);
  }
}

/** The phase of an approval. */
export function quorumPhaseOf({ commitment, request }: ApprovalState): QuorumPhase {
  if (commitment !== undefined) return 'Committed';
  return request === undefined ? 'Pending' : 'Voting';
}

/** How many approvals it takes: as the policy says, otherwise as the request does; undefined before that. */
export function requiredApprovals(
  { request }: ApprovalState,
  { rules: { threshold }, participants }: QuorumTerms,
): number | undefined {
  if (request === undefined || threshold === undefined) return request?.required;
  // Rounded up, in whole numbers: 7 % of 100 is 7, which is not so in fractions.
  return threshold.type === 'n_of_m'
    ? threshold.value
    : Math.floor((threshold.value * participants.size + 99) / 100);
}
