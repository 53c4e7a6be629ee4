import type { ModeOffers, OfferPosition } from '../offers.js';
import { type DecisionEnvelope, type Deliberation, onlyAbout, voteOf } from './deliberation.js';
import { findObstacles } from './eligibility.js';
import type { Vote } from './payloads.js';
import type { DecisionRules } from './rules.js';

const POSITIONS: Readonly<Record<Vote, OfferPosition>> = {
  APPROVE: 'accepts',
  REJECT: 'rejects',
  ABSTAIN: 'abstains',
};

/** Options, with their `supporting_data`. Votes on other options do not count for one. */
export const DECISION_OFFERS: ModeOffers<Deliberation, DecisionEnvelope, DecisionRules> = {
  read({ message_type, payload }) {
    if (message_type !== 'Proposal') return undefined;
    return { id: payload.proposal_id, attachment: payload.supporting_data };
  },
  positionOf(deliberation, offer, participant) {
    const vote = voteOf(deliberation, participant, offer);
    return vote === undefined ? undefined : POSITIONS[vote];
  },
  isAgreed: (deliberation, terms, offer) =>
    findObstacles(onlyAbout(deliberation, offer), terms, 'positive').length === 0,
};
