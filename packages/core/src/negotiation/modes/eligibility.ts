/** What a Commitment says about the negotiation. */
export type NegotiationOutcome = 'positive' | 'negative';

/** Whether a Commitment would be accepted, and why or why not. A mode may add details. */
export type Eligibility = {
  readonly committer: string;
  /** The outcomes that may be committed now; none if it is too early, or over. */
  readonly outcomes: readonly NegotiationOutcome[];
  /** Why these and no others, in sentences. */
  readonly reasons: readonly string[];
};
