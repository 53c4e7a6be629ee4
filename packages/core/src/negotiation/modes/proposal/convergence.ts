import {
  acceptedBy,
  agreedProposal,
  hasRejected,
  type Negotiation,
  onlyLiveProposal,
} from './negotiation.js';
import type { ProposalTerms } from './rules.js';

/**
 * The live proposal that all required participants accept (N-9) and no one has rejected terminally,
 * from the committer's view; `undefined` if there is none. If a policy lets several converge, the
 * first by id. The cost is bounded by the number of participants.
 */
export function convergedProposal(
  negotiation: Negotiation,
  terms: ProposalTerms,
  committer: string,
): string | undefined {
  return candidates(negotiation)
    .filter((proposalId) => !negotiation.terminalRejections.has(proposalId))
    .filter((proposalId) => countMissing(negotiation, terms, proposalId, committer) === 0)
    .sort()[0];
}

/** The proposals that could have converged: those with an acceptance, or the only one. */
export function candidates(negotiation: Negotiation): string[] {
  if (negotiation.acceptances.size > 0) return [...negotiation.acceptances.keys()];
  const only = onlyLiveProposal(negotiation);
  return only === undefined ? [] : [only];
}

/** How many required participants do not accept a proposal, without checking each of them. */
export function countMissing(
  negotiation: Negotiation,
  terms: ProposalTerms,
  proposalId: string,
  committer: string,
): number {
  const required = countRequired(terms);
  const accepting = countAccepting(negotiation, terms, proposalId);
  const implied = isImplied(negotiation, terms, proposalId, committer) ? 1 : 0;
  return required - accepting - implied;
}

/** The required participants who do not accept a proposal, by name. */
export function findMissing(
  negotiation: Negotiation,
  terms: ProposalTerms,
  proposalId: string,
  committer: string,
): readonly string[] {
  const implied = isImplied(negotiation, terms, proposalId, committer);
  const asked = terms.rules.acceptance.criterion === 'initiator' ? [terms.initiator] : terms.participants;
  return [...asked].filter(
    (name) =>
      isRequired(negotiation, terms, proposalId, name) &&
      acceptedBy(negotiation, name) !== proposalId &&
      !(implied && name === committer),
  );
}

function isRequired(
  negotiation: Negotiation,
  terms: ProposalTerms,
  proposalId: string,
  name: string,
): boolean {
  switch (terms.rules.acceptance.criterion) {
    case 'all_parties':
      return terms.participants.has(name);
    case 'counterparty':
      return (
        terms.participants.has(name) && (isAlone(terms) || negotiation.proposers.get(proposalId) !== name)
      );
    case 'initiator':
      return name === terms.initiator;
  }
}

/**
 * A proposal without acceptances does not converge: if there is no counterparty, the proposer must
 * accept.
 */
function isAlone({ participants }: ProposalTerms): boolean {
  return participants.size === 1;
}

function countRequired(terms: ProposalTerms): number {
  const { rules, participants } = terms;
  switch (rules.acceptance.criterion) {
    case 'all_parties':
      return participants.size;
    case 'counterparty':
      return isAlone(terms) ? 1 : participants.size - 1;
    case 'initiator':
      return 1;
  }
}

function countAccepting(negotiation: Negotiation, terms: ProposalTerms, proposalId: string): number {
  const accepting = negotiation.acceptances.get(proposalId) ?? 0;
  const accepts = (name: string | undefined) =>
    name !== undefined && acceptedBy(negotiation, name) === proposalId ? 1 : 0;
  switch (terms.rules.acceptance.criterion) {
    case 'all_parties':
      return accepting;
    case 'counterparty':
      return isAlone(terms) ? accepting : accepting - accepts(negotiation.proposers.get(proposalId));
    case 'initiator':
      return accepts(terms.initiator);
  }
}

/**
 * Whether committing would be the committer's acceptance of this proposal (N-9). A Commitment does
 * not name its proposal, so it can only be the one that all acceptances agree on or, before there are
 * any, the only live one.
 */
function isImplied(
  negotiation: Negotiation,
  terms: ProposalTerms,
  proposalId: string,
  committer: string,
): boolean {
  const meant =
    negotiation.acceptances.size > 0 ? agreedProposal(negotiation) : onlyLiveProposal(negotiation);
  return (
    terms.rules.acceptance.commitment_accepts &&
    meant === proposalId &&
    isRequired(negotiation, terms, proposalId, committer) &&
    acceptedBy(negotiation, committer) === undefined &&
    !hasRejected(negotiation, committer, proposalId)
  );
}
