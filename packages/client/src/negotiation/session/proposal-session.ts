import {
  type ClientPayloads,
  MACP_VERSION,
  type MacpEnvelope,
  PROPOSAL_MODE,
  ProposalProjection,
  type ReadEnvelope,
  type SessionStatus,
} from '@proffer/core/negotiation';
import { newId } from '../../connection/new-id.js';
import type { Acknowledgement } from '../acknowledgement.js';
import type { MacpClient } from '../macp-client.js';
import { MacpError } from '../macp-error.js';
import type { CallOptions } from '../persist.js';
import type { AcceptedEnvelope, SessionControl } from '../transport.js';
import { type FollowerOptions, SessionFollower } from './follower.js';
import type {
  CommitOptions,
  CounterOfferOptions,
  MessageOptions,
  OfferOptions,
  RejectOptions,
  RemarkOptions,
  StartOptions,
} from './message-options.js';
import { newSessionId } from './new-session-id.js';
import { commitmentPayload, counterPayload, proposalPayload, startPayload } from './payloads.js';

/**
 * One negotiation. Every call settles when the message is accepted and in the projection, or the
 * session is no longer followed; a refusal fails with a MacpError and changes nothing. The session is
 * followed from its start, or from joining, until it has ended or is closed; a lost connection is
 * re-established automatically.
 */
export class ProposalSession {
  readonly #client: MacpClient;
  readonly #options: FollowerOptions;
  #follower: SessionFollower | undefined;

  /**
   * A session that is not started yet: call {@link start} next. To take part in someone else's, call
   * {@link join}.
   */
  constructor(client: MacpClient, options: FollowerOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  static async join(
    client: MacpClient,
    sessionId: string,
    { signal, timeout, ...following }: FollowerOptions & CallOptions = {},
  ): Promise<ProposalSession> {
    const session = new ProposalSession(client, following);
    session.#follower = new SessionFollower(client, sessionId, following);
    try {
      const call = {
        ...(signal === undefined ? {} : { signal }),
        ...(timeout === undefined ? {} : { timeout }),
      };
      await session.refresh(call);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** Throws before it is started or joined. */
  get sessionId(): string {
    return this.#following().sessionId;
  }

  /** The projection of the messages accepted so far. A new object once the session's rules are known. */
  get projection(): ProposalProjection {
    return this.#follower?.projection ?? new ProposalProjection();
  }

  /** The state of the session as far as its messages have arrived here; undefined before the first. */
  get state(): SessionStatus | undefined {
    return this.#follower?.status;
  }

  /**
   * Starts the session; its sender is the initiator. Also fails if it was started but cannot be
   * followed, for example with `RATE_LIMITED` for too many streams: it can be joined later under {@link
   * sessionId}.
   */
  async start(options: StartOptions): Promise<Acknowledgement> {
    if (this.#follower !== undefined) {
      throw new MacpError(
        'SESSION_ALREADY_EXISTS',
        'This session is already started; create another ProposalSession.',
      );
    }
    const sessionId = options.sessionId ?? newSessionId();
    const envelope = this.#envelope(sessionId, 'SessionStart', startPayload(options), options);
    const accepted = await this.#client.send(envelope, options);
    this.#follower = new SessionFollower(this.#client, sessionId, this.#options);
    await this.#reach(accepted, 0, options);
    if (this.state === undefined) this.#follower.throwIfFailed();
    return accepted;
  }

  /** Makes an offer under an id that is new in the session. */
  propose(proposalId: string, title: string, options: OfferOptions = {}): Promise<Acknowledgement> {
    return this.#say('Proposal', proposalPayload(proposalId, title, options), options);
  }

  /** Makes an offer in place of another one, which is withdrawn unless the policy says otherwise. */
  counterPropose(
    proposalId: string,
    supersedes: string,
    title: string,
    options: CounterOfferOptions = {},
  ): Promise<Acknowledgement> {
    return this.#say('CounterProposal', counterPayload(proposalId, supersedes, title, options), options);
  }

  /** Accepts a live offer; a later acceptance of another one replaces it. */
  accept(proposalId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#say('Accept', { proposal_id: proposalId, reason: options.reason ?? '' }, options);
  }

  /** Rejects a live offer; with `terminal`, any further negotiation (N-11). */
  reject(proposalId: string, options: RejectOptions = {}): Promise<Acknowledgement> {
    const { terminal = false, reason = '' } = options;
    return this.#say('Reject', { proposal_id: proposalId, terminal, reason }, options);
  }

  /** Withdraws a live offer. */
  withdraw(proposalId: string, options: RemarkOptions = {}): Promise<Acknowledgement> {
    return this.#say('Withdraw', { proposal_id: proposalId, reason: options.reason ?? '' }, options);
  }

  /** Ends the session with an outcome (N-10). For the initiator, or those designated by the policy. */
  async commit(options: CommitOptions): Promise<Acknowledgement> {
    const [start] = this.#following().projection.transcript;
    // Started or joined, it has its first message.
    const payload = commitmentPayload(options, start as ReadEnvelope<'SessionStart'>);
    return await this.#say('Commitment', payload, options);
  }

  /** Ends the session without an outcome (N-4). For the initiator, as are the next two. */
  cancel(options: CallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#control('cancel', options);
  }

  /** Until it is resumed, nothing is accepted and time does not count. */
  suspend(options: CallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#control('suspend', options);
  }

  /** It continues with the time it had left. */
  resume(options: CallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#control('resume', options);
  }

  /** Settles when the projection includes everything accepted before the call. */
  async refresh(options: CallOptions = {}): Promise<void> {
    const { participant_activity } = await this.#client.getSession(this.sessionId, options);
    const sent = participant_activity.reduce((sum, { message_count }) => sum + message_count, 0);
    const follower = this.#following();
    await follower.until(() => follower.spoken >= sent, options);
  }

  /**
   * Everything accepted in the session, from the beginning or after a sequence number, including the
   * runtime's own messages: each once and in order, across lost connections (I-6). Ends when the
   * session has ended or is closed, and with the signal; throws the error that makes following
   * impossible.
   */
  async *envelopes({
    after = 0,
    signal,
  }: {
    readonly after?: number;
    readonly signal?: AbortSignal;
  } = {}): AsyncGenerator<AcceptedEnvelope & { readonly envelope: ReadEnvelope }, undefined> {
    const follower = this.#following();
    for (let sequence = after + 1; ; ) {
      if (signal?.aborted === true) return;
      const envelope = follower.projection.transcript[sequence - 1];
      if (envelope !== undefined) yield { sequence: sequence++, envelope };
      else if (follower.isOver) {
        follower.throwIfFailed();
        return;
      } else {
        await follower.nextChange(signal).catch((error: unknown) => {
          if (signal?.aborted !== true) throw error;
        });
      }
    }
  }

  [Symbol.asyncIterator]() {
    return this.envelopes();
  }

  /**
   * Stops following; nothing more can be sent by this object. The session itself continues; to end it, {@link cancel}
   * or {@link commit} first.
   */
  async close(): Promise<void> {
    this.#follower?.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #following(): SessionFollower {
    if (this.#follower !== undefined) return this.#follower;
    throw new MacpError('SESSION_NOT_FOUND', 'The session is not started. Call start() or join() first.');
  }

  async #say<Type extends keyof ClientPayloads>(
    type: Type,
    payload: ClientPayloads[Type],
    options: MessageOptions,
  ): Promise<Acknowledgement> {
    const follower = this.#following();
    follower.throwIfStopped();
    const envelope = this.#envelope(follower.sessionId, type, payload, options);
    const before = this.projection.transcript.length;
    const accepted = await this.#client.send(envelope, options);
    await this.#reach(accepted, before, options);
    return accepted;
  }

  async #control(
    action: SessionControl,
    options: CallOptions & { readonly reason?: string },
  ): Promise<Acknowledgement> {
    const follower = this.#following();
    follower.throwIfStopped();
    const before = this.projection.transcript.length;
    const accepted = await this.#client.controlSession(action, follower.sessionId, options);
    // Without an id it changed nothing, for example when cancelling a session that has ended.
    if (accepted.messageId !== '') await this.#reach(accepted, before, options);
    return accepted;
  }

  #envelope<Type extends keyof ClientPayloads>(
    session_id: string,
    message_type: Type,
    payload: ClientPayloads[Type],
    { sender = this.#client.sender, messageId = newId() }: MessageOptions,
  ): MacpEnvelope {
    return {
      macp_version: MACP_VERSION,
      mode: PROPOSAL_MODE,
      message_type,
      message_id: messageId,
      session_id,
      sender,
      timestamp_unix_ms: Date.now(),
      payload,
    };
  }

  /**
   * The accepted message is in the projection before the caller continues, so that no one decides on
   * outdated state. It was accepted even if following ends before that.
   *
   * @param before - how many messages there were when it was sent; a duplicate may be among them
   */
  async #reach(
    { messageId, duplicate }: Acknowledgement,
    before: number,
    options: CallOptions,
  ): Promise<void> {
    const follower = this.#following();
    let looked = duplicate ? 0 : before;
    await follower.until(() => {
      const { transcript } = follower.projection;
      while (looked < transcript.length) {
        if (transcript[looked++]?.message_id === messageId) return true;
      }
      return follower.isOver;
    }, options);
  }
}
