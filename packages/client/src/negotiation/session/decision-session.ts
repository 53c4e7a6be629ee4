import {
  DECISION_MODE,
  DecisionProjection,
  type ProjectionOptions,
  type Recommendation,
  type Severity,
  type Vote,
} from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import { encodeContent } from '../bytes.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowerOptions } from './follower.js';
import type { EvaluationOptions, OptionOptions, RemarkOptions } from './message-options.js';
import { ModeSession } from './mode-session.js';

/** One decision in Decision Mode, with a method for each message of the mode (N-14). */
export class DecisionSession extends ModeSession<DecisionProjection> {
  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    super(client, { ...options, mode: DECISION_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<DecisionSession> {
    return new DecisionSession(client, options).enter(sessionId, options);
  }

  /** Proposes an option under an id that is new in the session; only before the first vote. */
  propose(
    proposalId: string,
    option: string,
    { rationale = '', supportingData, ...options }: OptionOptions = {},
  ): Promise<Acknowledgement> {
    const supporting_data = supportingData === undefined ? '' : encodeContent(supportingData);
    return this.send('Proposal', { proposal_id: proposalId, option, rationale, supporting_data }, options);
  }

  /** Says what the sender thinks of an option; only before the first vote. */
  evaluate(
    proposalId: string,
    recommendation: Recommendation,
    { confidence = 1, reason = '', ...options }: EvaluationOptions = {},
  ): Promise<Acknowledgement> {
    return this.send('Evaluation', { proposal_id: proposalId, recommendation, confidence, reason }, options);
  }

  /** Objects to an option; only before the first vote. */
  object(
    proposalId: string,
    severity: Severity,
    { reason = '', ...options }: RemarkOptions = {},
  ): Promise<Acknowledgement> {
    return this.send('Objection', { proposal_id: proposalId, reason, severity }, options);
  }

  /** Votes on an option, once. */
  vote(
    proposalId: string,
    vote: Vote,
    { reason = '', ...options }: RemarkOptions = {},
  ): Promise<Acknowledgement> {
    return this.send('Vote', { proposal_id: proposalId, vote, reason }, options);
  }
}

function project(options: ProjectionOptions): DecisionProjection {
  return new DecisionProjection(options);
}
