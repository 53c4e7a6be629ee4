import type { CallFacts } from '../rules/call-facts.js';

/**
 * What was decided about a proposal. `amend`: it ran with changed arguments, so the original proposal
 * was neither allowed nor denied.
 */
export interface PastDecision {
  readonly decision: 'allow' | 'deny' | 'amend';
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Decided by rules, not by a person. */
  readonly automatic: boolean;
  /** The call ran although someone else had rejected it: no rule follows from that. */
  readonly disputed?: true;
  /** Of a rejection. */
  readonly reason?: string;
}

/** A past proposal, as rules would have seen it. */
export interface PastProposal {
  readonly id: string;
  readonly call: CallFacts;
  /** Absent if no one decided: it was withdrawn, expired, or is pending. */
  readonly decided?: PastDecision;
}
