import type { ModeOffers, OfferPosition } from '../offers.js';
import type { ApprovalState, Ballot, QuorumEnvelope } from './approval.js';
import type { QuorumRules } from './rules.js';

const POSITIONS: Readonly<Record<Ballot, OfferPosition>> = {
  Approve: 'accepts',
  Reject: 'rejects',
  Abstain: 'abstains',
};

/** The one request, with its `details`. */
export const QUORUM_OFFERS: ModeOffers<ApprovalState, QuorumEnvelope, QuorumRules> = {
  read({ message_type, payload }) {
    if (message_type !== 'ApprovalRequest') return undefined;
    return { id: payload.request_id, attachment: payload.details };
  },
  positionOf({ request, ballots }, offer, participant) {
    const ballot = request?.id === offer ? ballots.get(participant) : undefined;
    return ballot === undefined ? undefined : POSITIONS[ballot];
  },
  isAgreed: ({ request }, _terms, offer) => request?.id === offer,
};
