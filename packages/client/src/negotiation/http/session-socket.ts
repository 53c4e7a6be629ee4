import { defined, isJsonObject, type JsonObject, type JsonValue, textOf } from '@proffer/core/json';
import { type Ack, MAX_ID_LENGTH, type MacpEnvelope, writeMacpJson } from '@proffer/core/negotiation';
import type { OpenSocket, Socket, SocketEnd } from '../../connection/socket.js';
import { createDeferred, type Deferred } from '../../deferred.js';
import { MacpError, macpError } from '../macp-error.js';
import type { AcceptedEnvelope, Attempt } from '../transport.js';
import { acceptedFrom, ackFrom } from './read-json.js';

/** The queue for a slow reader: the maximum number of messages and characters (I-7). */
const MAX_WAITING = 1_000;
const MAX_CHARACTERS = 8_388_608;

/**
 * Messages of one session that arrived over a connection and are not consumed yet. A WebSocket in a
 * browser has no backpressure, so messages beyond the limit are dropped, and requested again
 * afterwards.
 */
class SessionFeed {
  #waiting: { readonly accepted: AcceptedEnvelope; readonly size: number }[] = [];
  #size = 0;
  /** The last sequence number that was consumed. */
  #last: number;
  #isFull = false;
  #end: { readonly error?: unknown } | undefined;
  #wake = (): void => {};

  constructor(after: number) {
    this.#last = after;
  }

  /** The last sequence number that arrived and was not dropped. */
  get last(): number {
    return this.#last;
  }

  /** Adds the next message; false if it is dropped, and nothing more is wanted for now. */
  take(accepted: AcceptedEnvelope, size: number): boolean {
    // Late messages of an earlier subscription are either known or requested again.
    if (this.#isFull || accepted.sequence !== this.#last + 1) return true;
    if (this.#waiting.length >= MAX_WAITING || this.#size >= MAX_CHARACTERS) {
      this.#isFull = true;
      return false;
    }
    this.#last = accepted.sequence;
    this.#waiting.push({ accepted, size });
    this.#size += size;
    this.#wake();
    return true;
  }

  /** Nothing more will arrive; with the error, if there is one. Queued messages are still read. */
  end(error?: unknown): void {
    this.#end ??= defined({ error });
    this.#wake();
  }

  /** New messages, until the end or the signal; throws the error that ended it. */
  async *read(signal: AbortSignal, askAgain: () => void): AsyncGenerator<AcceptedEnvelope, undefined> {
    const stop = (): void => this.#wake();
    signal.addEventListener('abort', stop);
    try {
      while (!signal.aborted) {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#size = 0;
        for (const { accepted } of batch) yield accepted;
        if (batch.length > 0) continue;
        if (this.#end !== undefined) {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
        if (this.#isFull) {
          this.#isFull = false;
          askAgain();
        }
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }
}

export interface SessionSocketOptions {
  readonly openSocket: OpenSocket;
  /** Where HTTP is served, without a trailing slash. */
  readonly base: string;
  readonly token: string;
  /** Called once, when it accepts nothing more. */
  readonly onOver: () => void;
}

/** An unused connection is closed after this time, in milliseconds. */
const IDLE = 10_000;

/** How many sessions can be followed over one connection. */
const MAX_FOLLOWED = 100;

/** One WebSocket at `/macp/ws`: envelopes and their acknowledgements, and followed sessions. */
export class SessionSocket {
  readonly token: string;
  readonly #options: SessionSocketOptions;
  readonly #socket: Socket;
  /** Frames queued until it is open; nothing after that. */
  #early: string[] | undefined = [];
  readonly #unanswered = new Map<string, Deferred<Ack>[]>();
  readonly #feeds = new Map<string, SessionFeed>();
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(options: SessionSocketOptions) {
    const { base, token, openSocket } = options;
    this.#options = options;
    this.token = token;
    this.#socket = openSocket(
      { url: `${base.replace(/^http/, 'ws')}/macp/ws`, token, probe: `${base}/macp/policies` },
      {
        onOpen: () => this.#begin(),
        onText: (received) => this.#take(received),
        onClose: (end) => this.#end(end),
      },
    );
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether a session can be followed on it: each once, and not too many. */
  canFollow(sessionId: string): boolean {
    return !this.#feeds.has(sessionId) && this.#feeds.size < MAX_FOLLOWED;
  }

  /**
   * Sends an envelope, and settles with its acknowledgement. After a timeout the connection counts as
   * lost.
   */
  async send(envelope: MacpEnvelope, { signal }: Attempt): Promise<Ack> {
    const key = keyOf(envelope);
    const answer = createDeferred<Ack>();
    const others = this.#unanswered.get(key);
    if (others === undefined) this.#unanswered.set(key, [answer]);
    else others.push(answer);
    const stop = (): void => {
      const { reason } = signal as { readonly reason: unknown };
      if (reason instanceof MacpError && reason.code === 'TIMED_OUT') this.close();
    };
    signal.addEventListener('abort', stop);
    this.#write(writeMacpJson(envelope));
    try {
      return await answer.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#restWhenIdle();
    }
  }

  /** Follows a session; see {@link canFollow}. */
  async *follow(
    sessionId: string,
    after: number,
    { signal }: Attempt,
  ): AsyncGenerator<AcceptedEnvelope, undefined> {
    const feed = new SessionFeed(after);
    const subscribe = (): void => this.#write({ subscribe_session_id: sessionId, after_sequence: feed.last });
    this.#feeds.set(sessionId, feed);
    subscribe();
    try {
      yield* feed.read(signal, subscribe);
    } finally {
      this.#feeds.delete(sessionId);
      this.#write({ unsubscribe_session_id: sessionId });
      this.#restWhenIdle();
    }
  }

  /** Closes it; everything in progress fails or ends as if the connection were lost. */
  close(): void {
    this.#socket.close();
    this.#end({ code: 1006 });
  }

  #write(frame: JsonObject): void {
    clearTimeout(this.#idle);
    if (this.#isOver) return;
    const written = JSON.stringify(frame);
    if (this.#early === undefined) this.#socket.send(written);
    else this.#early.push(written);
  }

  #begin(): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    for (const written of early) this.#socket.send(written);
  }

  #take(received: string): void {
    const frame = JSON.parse(received) as JsonValue;
    if (!isJsonObject(frame)) return;
    const { ack, error, envelope } = frame;
    if (isJsonObject(ack)) this.#settle(ackFrom(ack));
    else if (isJsonObject(error)) this.#fail(error);
    else if (isJsonObject(envelope)) this.#deliver(frame, envelope, received.length);
  }

  #settle(ack: Ack): void {
    const key = keyOf(ack);
    const [answer, ...others] = this.#unanswered.get(key) ?? [];
    if (others.length === 0) this.#unanswered.delete(key);
    else this.#unanswered.set(key, others);
    answer?.settle(ack);
  }

  /** An error about a frame: it says which one, as far as known. */
  #fail({ code, message, details, session_id: sessionId }: JsonObject): void {
    const context = isJsonObject(details) ? { details } : {};
    const error = macpError(textOf(code), textOf(message), context);
    if (typeof sessionId === 'string' && sessionId !== '') return this.#feeds.get(sessionId)?.end(error);
    const [only, ...others] = this.#unanswered.values();
    // If there are several, it cannot be known which one it is: they are retried.
    if (others.length === 0) for (const answer of only ?? []) answer.fail(error);
    else this.close();
  }

  #deliver(frame: JsonObject, { session_id: sessionId }: JsonObject, size: number): void {
    const id = textOf(sessionId);
    const feed = this.#feeds.get(id);
    if (feed === undefined) return;
    try {
      if (!feed.take(acceptedFrom(frame), size)) this.#write({ unsubscribe_session_id: id });
    } catch (error) {
      feed.end(error);
    }
  }

  #end({ code, refusal, cause }: SocketEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#idle);
    const error =
      refusal === undefined
        ? new MacpError('UNAVAILABLE', `The connection to ${this.#options.base} was lost.`, { cause })
        : macpError(refusal.code, refusal.message, { details: refusal.details, cause });
    // A close by the gateway is not an error for followers: they decide whether to reconnect.
    const isCleanClose = refusal === undefined && code !== 1006;
    for (const feed of this.#feeds.values()) feed.end(isCleanClose ? undefined : error);
    for (const answers of this.#unanswered.values()) for (const answer of answers) answer.fail(error);
    this.#unanswered.clear();
    this.#options.onOver();
  }

  #restWhenIdle(): void {
    clearTimeout(this.#idle);
    if (this.#isOver || this.#feeds.size > 0 || this.#unanswered.size > 0) return;
    this.#idle = setTimeout(() => this.close(), IDLE);
  }
}

/** Message ids are unique within a session (N-6); the gateway repeats only this much of a long one. */
function keyOf({ session_id, message_id }: Pick<Ack, 'session_id' | 'message_id'>): string {
  return `${session_id.slice(0, MAX_ID_LENGTH)} ${message_id.slice(0, MAX_ID_LENGTH)}`;
}
