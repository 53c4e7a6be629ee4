/** A proposal as a reader sees it. */
export interface SessionProposalView {
  readonly proposalId: string;
  readonly proposer: string;
  readonly title: string;
  readonly summary: string;
  /** Base64. */
  readonly details: string;
  /** Counter-proposals have none. */
  readonly tags: readonly string[];
  readonly disposition: 'live' | 'withdrawn';
  /** The disposition in the words of MACP's SDKs, which tell a terminally rejected proposal apart. */
  readonly status: 'open' | 'rejected' | 'withdrawn';
  /** The proposal that this one counters. */
  readonly supersedes?: string;
  /** The latest proposal that counters this one. */
  readonly supersededBy?: string;
}

/** A sender's latest acceptance of a proposal. */
export interface AcceptView {
  readonly sender: string;
  readonly proposalId: string;
  readonly reason: string;
}

/** A rejection; `terminal` even if only the policy makes it so. */
export interface RejectionView {
  readonly sender: string;
  readonly proposalId: string;
  readonly reason: string;
  readonly terminal: boolean;
}
