import {
  type Ballot,
  type ProjectionOptions,
  QUORUM_MODE,
  QuorumProjection,
} from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import { encodeContent } from '../bytes.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowerOptions } from './follower.js';
import type { ApprovalRequestOptions, RemarkOptions } from './message-options.js';
import { ModeSession } from './mode-session.js';

/** One approval in Quorum Mode, with a method for each message of the mode (N-17). */
export class QuorumSession extends ModeSession<QuorumProjection> {
  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    super(client, { ...options, mode: QUORUM_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<QuorumSession> {
    return new QuorumSession(client, options).enter(sessionId, options);
  }

  /** Asks the participants to approve something, once; for the initiator. */
  requestApproval(
    requestId: string,
    action: string,
    { requiredApprovals, summary = '', details, ...options }: ApprovalRequestOptions,
  ): Promise<Acknowledgement> {
    const payload = {
      request_id: requestId,
      action,
      summary,
      details: details === undefined ? '' : encodeContent(details),
      required_approvals: requiredApprovals,
    };
    return this.send('ApprovalRequest', payload, options);
  }

  /** Approves the request. A participant has one ballot, and cannot change it. */
  approve(requestId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#cast('Approve', requestId, options);
  }

  /** Rejects the request. */
  reject(requestId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#cast('Reject', requestId, options);
  }

  /** Neither approves nor rejects the request. */
  abstain(requestId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#cast('Abstain', requestId, options);
  }

  #cast(
    ballot: Ballot,
    request_id: string,
    { reason = '', ...options }: RemarkOptions,
  ): Promise<Acknowledgement> {
    return this.send(ballot, { request_id, reason }, options);
  }
}

function project(options: ProjectionOptions): QuorumProjection {
  return new QuorumProjection(options);
}
