import type { Result } from '@proffer/core';
import { defined } from '@proffer/core/json';
import {
  findMode,
  type MacpEnvelope,
  type ModeDescriptor,
  type PolicyRules,
  type ProjectionOptions,
  RUNTIME,
  type SessionMessage,
  type SessionStatus,
} from '@proffer/core/negotiation';
import { createDeferred } from '../../deferred.js';
import { createListeners, throwLater } from '../../listeners.js';
import { limitTime } from '../limit-time.js';
import type { MacpClient } from '../macp-client.js';
import { MacpError, macpError, retryAfterOf } from '../macp-error.js';
import { onAbort } from '../on-abort.js';
import type { NegotiationCallOptions } from '../persist.js';
import { endsSession, statusAfter } from '../status-after.js';

export interface FollowerOptions {
  /** The rules of the session's policy, if already known. Default: requested, if needed. */
  readonly rules?: PolicyRules;
  /** Called each time the connection is lost, before it is retried. */
  readonly onLost?: (error: MacpError) => void;
}

/** What the messages of a session are folded into. */
export interface FollowedProjection {
  /** Takes in one accepted envelope. The value says whether it was new. */
  apply(envelope: MacpEnvelope): Result<boolean>;
  /** Every accepted envelope in order, its payload read. */
  readonly transcript: readonly MacpEnvelope[];
}

/** Makes the projection of a session whose rules are known, or an empty one. */
export type Project<Projection> = (options: ProjectionOptions) => Projection;

/**
 * Follows one session and folds its accepted messages, and nothing else, into a projection (N-12).
 * Reconnects automatically, without gaps or repeats (I-6).
 */
export class SessionFollower<Projection extends FollowedProjection> {
  readonly sessionId: string;
  readonly #client: MacpClient;
  readonly #options: FollowerOptions;
  readonly #controller = new AbortController();
  readonly #changes = createListeners<void>(throwLater);
  readonly #project: Project<Projection>;
  #projection: Projection;
  #descriptor: ModeDescriptor | undefined;
  #status: SessionStatus | undefined;
  #spoken = 0;
  #failure: unknown;
  #isOver = false;

  /** Starts at once, with the first message. */
  constructor(
    client: MacpClient,
    sessionId: string,
    project: Project<Projection>,
    options: FollowerOptions = {},
  ) {
    this.sessionId = sessionId;
    this.#client = client;
    this.#options = options;
    this.#project = project;
    this.#projection = project({});
    void this.#run();
  }

  get projection(): Projection {
    return this.#projection;
  }

  /** The message that began the session; undefined before it came. */
  get start(): SessionMessage<'SessionStart'> | undefined {
    // Nothing is taken in before it.
    return this.#projection.transcript[0] as SessionMessage<'SessionStart'> | undefined;
  }

  /** As the accepted messages say; undefined before the first. */
  get status(): SessionStatus | undefined {
    return this.#status;
  }

  /** How many messages arrived that the runtime did not write itself. */
  get spoken(): number {
    return this.#spoken;
  }

  /** Whether nothing more will arrive: the session has ended, or is no longer followed. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Settles as soon as the condition holds. Fails with the error that ended the following before that,
   * with `TIMED_OUT`, or with the signal's reason.
   */
  async until(
    condition: () => boolean,
    { signal, timeout = this.#client.timeout }: NegotiationCallOptions,
  ): Promise<void> {
    const limit = limitTime(signal, timeout);
    try {
      while (!condition()) {
        this.throwIfFailed();
        if (this.#isOver) throw new MacpError('UNAVAILABLE', 'The session is no longer followed.');
        await this.nextChange(limit.signal);
      }
    } finally {
      limit.release();
    }
  }

  /** Settles when something was accepted or the following ended. Fails with the signal's reason. */
  async nextChange(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { promise, settle, fail } = createDeferred<void>();
    const stopListening = this.#changes.add(settle);
    const { release } = onAbort(signal, () => fail(signal?.reason));
    try {
      await promise;
    } finally {
      stopListening();
      release();
    }
  }

  /** Throws the error that ended the following, if there is one. */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Throws the error that ended it, or `SESSION_NOT_OPEN` after {@link stop}: for callers that want to send. */
  throwIfStopped(): void {
    this.throwIfFailed();
    if (!this.#controller.signal.aborted) return;
    const what = 'This session object is closed, so nothing was sent. Join the session again to continue.';
    throw new MacpError('SESSION_NOT_OPEN', what, { sessionId: this.sessionId });
  }

  /** Stops following. */
  stop(): void {
    this.#controller.abort();
    this.#finish();
  }

  async #run(): Promise<void> {
    const { signal } = this.#controller;
    const onLost = (error: MacpError): void => {
      if (this.#status === undefined && isRefusedForGood(error)) throw error;
      this.#options.onLost?.(error);
    };
    try {
      const options = { signal, onLost };
      for await (const { envelope } of this.#client.subscribe(this.sessionId, options)) {
        if (envelope.message_type === 'SessionStart') await this.#learn(envelope);
        this.#take(envelope);
        if (endsSession(envelope, this.#descriptor)) break;
      }
      this.#finish();
    } catch (error) {
      this.#finish(signal.aborted ? undefined : error);
    }
  }

  #take(envelope: MacpEnvelope): void {
    if (this.#isOver) return;
    const applied = this.#projection.apply(envelope);
    if (!applied.ok) {
      const { code, message, details } = applied.refusal;
      throw macpError(code, message, { details, sessionId: this.sessionId });
    }
    this.#status = statusAfter(envelope, this.#descriptor) ?? this.#status;
    if (envelope.sender !== RUNTIME) this.#spoken++;
    this.#changes.tell();
  }

  /**
   * The rules are not in the messages, and only the runtime knows which policy is the default; nor is how a registered
   * mode is described.
   */
  async #learn({ mode }: MacpEnvelope): Promise<void> {
    const { signal } = this.#controller;
    if (findMode(mode) === undefined)
      this.#descriptor = await this.#client.getSessionMode(this.sessionId, { signal });
    const { rules = await this.#client.getSessionRules(this.sessionId, { signal }) } = this.#options;
    this.#projection = this.#project({ rules, ...defined({ descriptor: this.#descriptor }) });
  }

  #finish(failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = failure;
    this.#changes.tell();
  }
}

/** A limit without a retry time is not a rate limit: waiting would not help. */
function isRefusedForGood(error: MacpError): boolean {
  return error.code === 'RATE_LIMITED' && retryAfterOf(error) === undefined;
}
