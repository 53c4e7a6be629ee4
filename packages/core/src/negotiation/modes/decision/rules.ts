import type { CommitmentRules } from '../authority.js';
import type { Terms } from '../terms.js';

/** How votes are counted; `none`: they advise whoever commits. */
export type VotingAlgorithm = 'none' | 'majority' | 'supermajority' | 'unanimous' | 'weighted' | 'plurality';

/** The rules of a policy for Decision Mode (RFC-MACP-0012, section 4.1). */
export type DecisionRules = {
  readonly voting: {
    readonly algorithm: VotingAlgorithm;
    /** The share of the decisive votes that must approve, reached or exceeded; more than 0, at most 1. */
    readonly threshold: number;
    /** How many participants must vote, as a number or in percent; only with `require_vote_quorum`. */
    readonly quorum: { readonly type: 'count' | 'percentage'; readonly value: number };
    /** The weight of each voter who counts; only for `weighted`. */
    readonly weights: { readonly [name: string]: number };
    /** Whether a positive outcome needs a decisive vote; so it is from schema version 3 on. */
    readonly needs_votes: boolean;
  };
  readonly objection_handling: {
    /** Whether critical objections prevent a positive outcome. */
    readonly critical_severity_vetoes: boolean;
    /** How many critical objections it takes. */
    readonly veto_threshold: number;
    /** Whether a negative outcome may be committed then; `deny` and `hold` allow none. */
    readonly critical_objection_action: 'deny' | 'finalize_decline' | 'hold';
  };
  readonly evaluation: {
    /** Only with `required_before_voting`. */
    readonly minimum_confidence: number;
    /** Whether an outcome needs an evaluation that takes a position. */
    readonly required_before_voting: boolean;
  };
  readonly commitment: CommitmentRules & {
    /** Whether an outcome needs the quorum. */
    readonly require_vote_quorum: boolean;
    /** Whether a negative outcome is possible although the vote passed. */
    readonly allow_decline_over_approval: boolean;
  };
};

/** The terms of a session in Decision Mode. */
export type DecisionTerms = Terms<DecisionRules>;
