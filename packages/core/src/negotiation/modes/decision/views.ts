import type { Recommendation, Severity, Vote } from './payloads.js';

/** An option as a reader sees it. */
export interface OptionView {
  readonly proposalId: string;
  readonly proposer: string;
  readonly option: string;
  readonly rationale: string;
  /** Base64. */
  readonly supportingData: string;
}

/** A sender's analysis of an option. */
export interface EvaluationView {
  readonly sender: string;
  readonly proposalId: string;
  readonly recommendation: Recommendation;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
}

/** An objection to an option. */
export interface ObjectionView {
  readonly sender: string;
  readonly proposalId: string;
  readonly severity: Severity;
  readonly reason: string;
}

/** A vote on an option. */
export interface VoteView {
  readonly sender: string;
  readonly proposalId: string;
  readonly vote: Vote;
  readonly reason: string;
}
