import type { CommitmentRules } from '../authority.js';
import type { Terms } from '../terms.js';

/** Whose acceptance a proposal needs: everyone's, everyone's except the proposer's, the initiator's. */
export type AcceptanceCriterion = 'all_parties' | 'counterparty' | 'initiator';

/** The rules of a policy for Proposal Mode. */
export type ProposalRules = {
  readonly acceptance: {
    readonly criterion: AcceptanceCriterion;
    /** Whether committing counts as the committer's own Accept (N-9). */
    readonly commitment_accepts: boolean;
  };
  readonly counter_proposal: {
    /** How many counter-proposals a session takes; 0 is no limit. */
    readonly max_rounds: number;
    /** Whether a countered proposal becomes withdrawn. */
    readonly retires_original: boolean;
  };
  readonly rejection: {
    /** Whether every Reject of someone with the authority is terminal, even without the flag. */
    readonly terminal_on_any_reject: boolean;
    /** Who may reject terminally. */
    readonly authority: 'any_participant' | 'initiator_only';
    /** Whether a terminal rejection ends the exchange (N-11). */
    readonly closes_negotiation: boolean;
  };
  readonly withdrawal: { readonly authority: 'any_participant' | 'author' };
  readonly commitment: CommitmentRules;
};

/** The terms of a session in Proposal Mode. */
export type ProposalTerms = Terms<ProposalRules>;
