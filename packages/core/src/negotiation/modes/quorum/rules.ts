import type { CommitmentRules } from '../authority.js';
import type { Terms } from '../terms.js';

/** The rules of a policy for Quorum Mode (RFC-MACP-0012, section 4.2). */
export type QuorumRules = {
  /**
   * How many approvals it takes, as a number or in percent of the participants, rounded up. It replaces
   * the number in the request. Absent: that number.
   */
  readonly threshold?: { readonly type: 'n_of_m' | 'percentage'; readonly value: number } | undefined;
  /**
   * What an abstention means. Kept for whoever reads the policy: whether it rejects or is ignored, it
   * does not approve, and only approvals are counted.
   */
  readonly abstention: {
    readonly counts_toward_quorum: boolean;
    readonly interpretation: 'neutral' | 'implicit_reject' | 'ignored';
  };
  readonly commitment: CommitmentRules;
};

/** The terms of a session in Quorum Mode. */
export type QuorumTerms = Terms<QuorumRules>;
