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
    /** The maximum number of counter-proposals in a session; 0 is unlimited. */
    readonly max_rounds: number;
    /** Whether a countered proposal is withdrawn. */
    readonly retires_original: boolean;
  };
  readonly rejection: {
    /** Whether every Reject by someone with the authority is terminal, even without the flag. */
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
