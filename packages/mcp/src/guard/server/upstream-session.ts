import type { Clock } from '@proffer/client/own-calls';
import type { JsonObject } from '@proffer/core/json';
import { LISTS } from '../../bridge/server-session.js';
import type { JsonRpcChannel } from '../../channel/channel.js';
import { ServerRequests } from '../../channel/server-requests.js';
import {
  answeredId,
  isRequest,
  objectAt,
  paramsOf,
  type RpcAnswer,
  type RpcId,
  textAt,
} from '../../json-rpc.js';

/** How a client started: repeated to a server that no longer knows it. */
export interface Handshake {
  readonly initialize: JsonObject;
  readonly initialized?: JsonObject;
  /** The negotiated revision. */
  readonly version?: string;
}

export interface UpstreamSessionEvents {
  readonly onMessage: (message: JsonObject, text?: string) => void;
  /** @param request - the request that will not be answered, as it was sent */
  readonly onUnanswered: (request: JsonObject & { readonly id: RpcId }, cause: Error) => void;
  readonly onFault: () => void;
  readonly onClose: (cause?: Error) => void;
  readonly onDrain: () => void;
}

/** Timeout for a server to confirm a session or to start a new one, in milliseconds. */
const TIMEOUT = 10_000;

/** One session with a server over HTTP, with its unanswered requests and some of our own. */
export class UpstreamSession {
  readonly channel: JsonRpcChannel;
  readonly #requests: ServerRequests;
  readonly #open = new Map<RpcId, JsonObject & { readonly id: RpcId }>();
  readonly #clock: Clock;

  constructor(channel: JsonRpcChannel, clock: Clock) {
    this.channel = channel;
    this.#requests = new ServerRequests(channel);
    this.#clock = clock;
  }

  /** Whether every request was answered, cancelled, or is known to be lost. */
  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  open({ onMessage, onUnanswered, ...events }: UpstreamSessionEvents): Promise<void> {
    return this.channel.open({
      ...events,
      onMessage: (message, text) => {
        if (this.#requests.take(message)) return;
        const id = answeredId(message);
        if (id !== undefined) this.#open.delete(id);
        onMessage(message, text);
      },
      onUnanswered: (id, cause) => {
        if (this.#requests.lose(id, cause)) return;
        const request = this.#open.get(id) ?? { id };
        this.#open.delete(id);
        onUnanswered(request, cause);
      },
    });
  }

  /** Whether this request was sent here, and is neither answered, lost nor cancelled. */
  has(id: RpcId): boolean {
    return this.#open.has(id);
  }

  send(message: JsonObject): void {
    if (isRequest(message)) this.#open.set(message.id, message);
    const { requestId } = message['method'] === 'notifications/cancelled' ? paramsOf(message) : {};
    // If it is lost after this, only its id is reported, so that nobody can resend it.
    if (typeof requestId === 'string' || typeof requestId === 'number') this.#open.delete(requestId);
    this.channel.send(message);
  }

  /** Rejects if the server no longer knows us or cannot be reached. Its own error counts as an answer. */
  async check(): Promise<void> {
    await this.#ask('ping', {});
  }

  /**
   * Starts a session as the client did. Rejects if the server does not agree to the same again.
   *
   * @returns the server's lists
   */
  async begin({ initialize, initialized, version }: Handshake): Promise<readonly string[]> {
    const answer = await this.#ask('initialize', paramsOf(initialize));
    if ('error' in answer)
      throw new Error(`The server refuses a new session: ${textAt(answer.error, 'message')}`);
    if (answer.result['protocolVersion'] !== version)
      throw new Error('The server now speaks a different revision of MCP. Reconnect.');
    if (initialized !== undefined) this.channel.send(initialized);
    const capabilities = objectAt(answer.result, 'capabilities');
    return LISTS.filter((list) => capabilities[list] !== undefined);
  }

  async #ask(method: string, params: JsonObject): Promise<RpcAnswer> {
    const id = this.#requests.nextId();
    const late = new Error(`The server has not answered ${method} for ${TIMEOUT / 1_000} s.`);
    const stop = this.#clock.after(TIMEOUT, () => void this.#requests.lose(id, late));
    return await this.#requests.ask(id, { method, params }).finally(stop);
  }
}
