import type { JsonObject } from '@proffer/core/json';
import {
  PROPOSAL_MODE,
  type ProjectionOptions,
  type ProposalMessage,
  ProposalProjection,
  type SessionStatus,
} from '@proffer/core/negotiation';
import type { Acknowledgement } from '../acknowledgement.js';
import type { MacpClient } from '../macp-client.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { AcceptedEnvelope } from '../transport.js';
import type { FollowerOptions } from './follower.js';
import { MacpSession } from './macp-session.js';
import type {
  CommitOptions,
  CounterOfferOptions,
  MessageOptions,
  OfferOptions,
  RejectOptions,
  RemarkOptions,
  StartOptions,
} from './message-options.js';
import { counterPayload, proposalPayload } from './payloads.js';

/** One negotiation in Proposal Mode: a {@link MacpSession} with a method for each message of the mode. */
export class ProposalSession {
  #session: MacpSession<ProposalProjection>;

  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    this.#session = new MacpSession(client, { ...options, mode: PROPOSAL_MODE, project });
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static async join(
    client: MacpClient,
    sessionId: string,
    options: FollowerOptions & NegotiationCallOptions = {},
  ): Promise<ProposalSession> {
    const session = new ProposalSession(client);
    session.#session = await MacpSession.join(client, sessionId, { ...options, project });
    return session;
  }

  /** Throws before it is started or joined. */
  get sessionId(): string {
    return this.#session.sessionId;
  }

  /** The projection of the messages accepted so far. A new object once the session's rules are known. */
  get projection(): ProposalProjection {
    return this.#session.projection;
  }

  /** The state of the session as far as its messages have arrived here; undefined before the first. */
  get state(): SessionStatus | undefined {
    return this.#session.state;
  }

  /**
   * Starts the session; its sender is the initiator. Also fails if it was started but cannot be
   * followed, for example with `RATE_LIMITED` for too many streams: it can be joined later under {@link
   * sessionId}.
   */
  start(options: StartOptions): Promise<Acknowledgement> {
    return this.#session.start(options);
  }

  /** Makes an offer under an id that is new in the session. */
  propose(proposalId: string, title: string, options: OfferOptions = {}): Promise<Acknowledgement> {
    return this.#session.send('Proposal', proposalPayload(proposalId, title, options), options);
  }

  /** Makes an offer in place of another one, which is withdrawn unless the policy says otherwise. */
  counterPropose(
    proposalId: string,
    supersedes: string,
    title: string,
    options: CounterOfferOptions = {},
  ): Promise<Acknowledgement> {
    const payload = counterPayload(proposalId, supersedes, title, options);
    return this.#session.send('CounterProposal', payload, options);
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

  /** Sends a message of the mode by its type, as {@link MacpSession.send} does. */
  send(messageType: string, payload: JsonObject, options: MessageOptions = {}): Promise<Acknowledgement> {
    return this.#session.send(messageType, payload, options);
  }

  /** Ends the session with an outcome (N-10). For the initiator, or those designated by the policy. */
  commit(options: CommitOptions): Promise<Acknowledgement> {
    return this.#session.commit(options);
  }

  /** Ends the session without an outcome (N-4). For the initiator, as are the next two. */
  cancel(options: NegotiationCallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#session.cancel(options);
  }

  /** Until it is resumed, nothing is accepted and time does not count. */
  suspend(options: NegotiationCallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#session.suspend(options);
  }

  /** The session continues with the time it had left. */
  resume(options: NegotiationCallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#session.resume(options);
  }

  /** Settles when the projection has everything that was accepted before the call. */
  refresh(options: NegotiationCallOptions = {}): Promise<void> {
    return this.#session.refresh(options);
  }

  /** As {@link MacpSession.envelopes}. */
  envelopes(
    options: { readonly after?: number; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<AcceptedEnvelope & { readonly envelope: ProposalMessage }, undefined> {
    return this.#session.envelopes(options);
  }

  [Symbol.asyncIterator]() {
    return this.envelopes();
  }

  /**
   * Stops following; nothing more can be sent by this object. The session itself continues; to end it, {@link cancel}
   * or {@link commit} first.
   */
  close(): Promise<void> {
    return this.#session.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #remark(
    type: 'Accept' | 'Reject' | 'Withdraw',
    proposal_id: string,
    { reason = '', ...options }: RemarkOptions,
    more: { readonly terminal?: boolean } = {},
  ): Promise<Acknowledgement> {
    return this.#session.send(type, { proposal_id, ...more, reason }, options);
  }
}

function project(options: ProjectionOptions): ProposalProjection {
  return new ProposalProjection(options);
}
