import type { ModeOffers } from '../offers.js';
import { convergedProposal } from './convergence.js';
import { acceptedBy, hasRejected, type ModeEnvelope, type Negotiation } from './negotiation.js';
import type { ProposalRules } from './rules.js';

/**
 * Proposals and counter-proposals, with their `details`. Who has ever rejected one does not accept it; the Commitment
 * itself accepts nothing for anyone.
 */
export const PROPOSAL_OFFERS: ModeOffers<Negotiation, ModeEnvelope, ProposalRules> = {
  read({ message_type, payload }) {
    if (message_type !== 'Proposal' && message_type !== 'CounterProposal') return undefined;
    return { id: payload.proposal_id, attachment: payload.details };
  },
  positionOf(negotiation, offer, participant) {
    const accepts = acceptedBy(negotiation, participant) === offer;
    if (hasRejected(negotiation, participant, offer)) return accepts ? undefined : 'rejects';
    return accepts ? 'accepts' : undefined;
  },
  isAgreed: (negotiation, terms, offer, committer) =>
    convergedProposal(negotiation, terms, committer) === offer,
};
