import { id } from '../../wire/identifiers.js';
import type { PayloadReaders } from '../../wire/payloads.js';
import { bytes, filledText, fraction, messageOf, oneOf, text } from '../../wire/readers.js';

/** An option to decide about. */
export type OptionPayload = {
  readonly proposal_id: string;
  readonly option: string;
  readonly rationale: string;
  /** Base64. */
  readonly supporting_data: string;
};

/** What an evaluation recommends. REVIEW takes no position. */
export type Recommendation = 'APPROVE' | 'REVIEW' | 'BLOCK' | 'REJECT';

/** A sender's analysis of an option. It advises; it blocks nothing. */
export type EvaluationPayload = {
  readonly proposal_id: string;
  readonly recommendation: Recommendation;
  /** From 0 to 1. */
  readonly confidence: number;
  readonly reason: string;
};

/** How grave an objection is. Under some policies a critical one prevents a positive outcome. */
export type Severity = 'low' | 'medium' | 'high' | 'critical';

/** A sender's objection to an option. */
export type ObjectionPayload = {
  readonly proposal_id: string;
  readonly reason: string;
  readonly severity: Severity;
};

/** How a sender votes. */
export type Vote = 'APPROVE' | 'REJECT' | 'ABSTAIN';

/** A sender's vote on an option; there is one for each option and sender. */
export type VotePayload = {
  readonly proposal_id: string;
  readonly vote: Vote;
  readonly reason: string;
};

/** The payload of each message that only Decision Mode has. */
export type DecisionModePayloads = {
  readonly Proposal: OptionPayload;
  readonly Evaluation: EvaluationPayload;
  readonly Objection: ObjectionPayload;
  readonly Vote: VotePayload;
};

/** Their readers. Words are compared exactly: `approve` is not a vote. */
export const DECISION_READERS: PayloadReaders<DecisionModePayloads> = {
  Proposal: messageOf<OptionPayload>({
    proposal_id: id,
    option: filledText,
    rationale: text,
    supporting_data: bytes,
  }),
  Evaluation: messageOf<EvaluationPayload>({
    proposal_id: id,
    recommendation: oneOf('APPROVE', 'REVIEW', 'BLOCK', 'REJECT'),
    confidence: fraction,
    reason: text,
  }),
  Objection: messageOf<ObjectionPayload>({
    proposal_id: id,
    reason: text,
    severity: oneOf('low', 'medium', 'high', 'critical'),
  }),
  Vote: messageOf<VotePayload>({
    proposal_id: id,
    vote: oneOf('APPROVE', 'REJECT', 'ABSTAIN'),
    reason: text,
  }),
};
