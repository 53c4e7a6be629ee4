import { PROPOSAL_MODE, type ProjectionOptions, ProposalProjection } from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { FollowerOptions } from './follower.js';
import type { CounterOfferOptions, OfferOptions, RejectOptions, RemarkOptions } from './message-options.js';
import { ModeSession } from './mode-session.js';
import { counterPayload, proposalPayload } from './payloads.js';

/** One negotiation in Proposal Mode, with a method for each message of the mode. */
export class ProposalSession extends ModeSession<ProposalProjection> {
  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    super(client, { ...options, mode: PROPOSAL_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<ProposalSession> {
    return new ProposalSession(client, options).enter(sessionId, options);
  }

  /** Makes an offer under an id that is new in the session. */
  propose(proposalId: string, title: string, options: OfferOptions = {}): Promise<Acknowledgement> {
    return this.send('Proposal', proposalPayload(proposalId, title, options), options);
  }

  /** Makes an offer in place of another one, which is withdrawn unless the policy says otherwise. */
  counterPropose(
    proposalId: string,
    supersedes: string,
    title: string,
    options: CounterOfferOptions = {},
  ): Promise<Acknowledgement> {
    const payload = counterPayload(proposalId, supersedes, title, options);
    return this.send('CounterProposal', payload, options);
  }

  /** Accepts a live offer; a later acceptance of another one replaces it. */
  accept(proposalId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#remark('Accept', proposalId, options);
  }

  /** Rejects a live offer; with `terminal`, any further negotiation (N-11). */
  reject(proposalId: string, { terminal = false, ...options }: RejectOptions = {}): Promise<Acknowledgement> {
    return this.#remark('Reject', proposalId, options, { terminal });
  }

  /** Withdraws a live offer. */
  withdraw(proposalId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#remark('Withdraw', proposalId, options);
  }

  #remark(
    type: 'Accept' | 'Reject' | 'Withdraw',
    proposal_id: string,
    { reason = '', ...options }: RemarkOptions,
    more: { readonly terminal?: boolean } = {},
  ): Promise<Acknowledgement> {
    return this.send(type, { proposal_id, ...more, reason }, options);
  }
}

function project(options: ProjectionOptions): ProposalProjection {
  return new ProposalProjection(options);
}
