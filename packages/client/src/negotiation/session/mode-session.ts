import { defined, type JsonObject } from '@proffer/core/json';
import { MACP_VERSION, type MacpEnvelope, type SessionStatus } from '@proffer/core/negotiation';
import { newId } from '../../connection/new-id.js';
import type { Acknowledgement } from '../acknowledgement.js';
import type { MacpClient } from '../macp-client.js';
import { MacpError } from '../macp-error.js';
import type { NegotiationCallOptions } from '../persist.js';
import type { AcceptedEnvelope, SessionControl } from '../transport.js';
import { type FollowedProjection, type FollowerOptions, type Project, SessionFollower } from './follower.js';
import type { CommitOptions, MessageOptions, StartOptions } from './message-options.js';
import { commitmentPayload, startPayload } from './payloads.js';

export interface ModeSessionOptions<Projection extends FollowedProjection> extends FollowerOptions {
  /** The mode to start it in, such as `macp.mode.proposal.v1`. */
  readonly mode: string;
  /** What its messages are folded into. */
  readonly project: Project<Projection>;
}

/**
 * What sessions of all modes have in common. Every call settles when the message is accepted and
 * in the projection, or the session is no longer followed; a refusal fails with a MacpError and changes
 * nothing. The session is followed from its start, or from joining, until it
 * has ended or is closed; a lost connection is re-established automatically.
 */
export abstract class ModeSession<Projection extends FollowedProjection> {
  readonly #client: MacpClient;
  readonly #options: ModeSessionOptions<Projection>;
  #follower: SessionFollower<Projection> | undefined;

  /** A session that is not started yet: call {@link start} next, or {@link enter} for someone else's. */
  constructor(client: MacpClient, options: ModeSessionOptions<Projection>) {
    this.#client = client;
    this.#options = options;
  }

  /** Joins a session that someone else started. Settles when the projection is up to date. */
  async enter(sessionId: string, { signal, timeout }: NegotiationCallOptions = {}): Promise<this> {
    this.#throwIfBegun();
    this.#follow(sessionId);
    try {
      await this.refresh(defined({ signal, timeout }));
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Throws before it is started or joined. */
  get sessionId(): string {
    return this.#following().sessionId;
  }

  /** The projection of the messages accepted so far. A new object once the session's rules are known. */
  get projection(): Projection {
    return this.#follower?.projection ?? this.#options.project({});
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
    this.#throwIfBegun();
    const sessionId = options.sessionId ?? newSessionId();
    const { mode } = this.#options;
    const about = { mode, session_id: sessionId, message_type: 'SessionStart' };
    const { modeVersion = (await this.#client.findMode(mode, options))?.mode_version ?? '1.0.0' } = options;
    const envelope = this.#envelope(about, startPayload(options, modeVersion), options);
    const accepted = await this.#client.send(envelope, options);
    const follower = this.#follow(sessionId);
    await this.#reach(accepted, 0, options);
    if (this.state === undefined) follower.throwIfFailed();
    return accepted;
  }

  /** Sends a message of the session's mode. */
  async send(
    messageType: string,
    payload: JsonObject,
    options: MessageOptions = {},
  ): Promise<Acknowledgement> {
    const follower = this.#following();
    follower.throwIfStopped();
    const mode = follower.start?.mode ?? this.#options.mode;
    const about = { mode, session_id: follower.sessionId, message_type: messageType };
    const before = this.projection.transcript.length;
    const accepted = await this.#client.send(this.#envelope(about, payload, options), options);
    await this.#reach(accepted, before, options);
    return accepted;
  }

  /** Ends the session with an outcome (N-10). For the initiator, or those designated by the policy. */
  async commit(options: CommitOptions): Promise<Acknowledgement> {
    const { start } = this.#following();
    if (start === undefined)
      throw new MacpError('SESSION_NOT_FOUND', 'The session has not started here yet.');
    return await this.send('Commitment', commitmentPayload(options, start), options);
  }

  /** Ends the session without an outcome (N-4). For the initiator, as are the next two. */
  cancel(options: NegotiationCallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#control('cancel', options);
  }

  /** Until it is resumed, nothing is accepted and time does not count. */
  suspend(options: NegotiationCallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#control('suspend', options);
  }

  /** The session continues with the time it had left. */
  resume(options: NegotiationCallOptions & { readonly reason?: string } = {}): Promise<Acknowledgement> {
    return this.#control('resume', options);
  }

  /** Settles when the projection includes everything accepted before the call. */
  async refresh(options: NegotiationCallOptions = {}): Promise<void> {
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
  } = {}): AsyncGenerator<
    AcceptedEnvelope & { readonly envelope: Projection['transcript'][number] },
    undefined
  > {
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
   * Stops following; this object can send nothing more. The session itself continues; to end it, call
   * {@link cancel} or {@link commit} first.
   */
  async close(): Promise<void> {
    this.#follower?.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #throwIfBegun(): void {
    if (this.#follower === undefined) return;
    throw new MacpError(
      'SESSION_ALREADY_EXISTS',
      'This session is already started; create another session object.',
    );
  }

  #follow(sessionId: string): SessionFollower<Projection> {
    this.#follower = new SessionFollower(this.#client, sessionId, this.#options.project, this.#options);
    return this.#follower;
  }

  #following(): SessionFollower<Projection> {
    if (this.#follower !== undefined) return this.#follower;
    throw new MacpError('SESSION_NOT_FOUND', 'The session is not started. Call start() or join() first.');
  }

  async #control(
    action: SessionControl,
    options: NegotiationCallOptions & { readonly reason?: string },
  ): Promise<Acknowledgement> {
    const follower = this.#following();
    follower.throwIfStopped();
    const before = this.projection.transcript.length;
    const accepted = await this.#client.controlSession(action, follower.sessionId, options);
    // Without an id it changed nothing, for example when cancelling a session that has ended.
    if (accepted.messageId !== '') await this.#reach(accepted, before, options);
    return accepted;
  }

  #envelope(
    about: Pick<MacpEnvelope, 'mode' | 'session_id' | 'message_type'>,
    payload: JsonObject,
    { sender = this.#client.sender, messageId = newId() }: MessageOptions,
  ): MacpEnvelope {
    return {
      macp_version: MACP_VERSION,
      ...about,
      message_id: messageId,
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
    options: NegotiationCallOptions,
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

/** A new UUID v4 in lower case (N-2). Not `randomUUID`, which browsers have only on secure pages. */
export function newSessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const [version = 0, variant = 0] = [bytes[6], bytes[8]];
  bytes[6] = (version & 0x0f) | 0x40;
  bytes[8] = (variant & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
