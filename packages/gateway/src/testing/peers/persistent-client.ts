import type { JsonObject } from '@proffer/core/json';
import { WebSocket } from 'ws';
import type { Message } from './peer.js';

/** How soon a connection that failed, or a message that was not taken, is tried again, in milliseconds. */
const RETRY = 20;

/** What is worth sending again as it is. */
const PASSING: ReadonlySet<unknown> = new Set(['unavailable', 'executor_absent', 'rate_limited']);

/**
 * A client as the protocol wants it: it reconnects with the last `seq` that it saw, sends again what was
 * not acknowledged, under the same ids, and notes whatever breaks a promise.
 */
export class PersistentClient {
  readonly name: string;
  /** Every message with a `seq`, in the order in which it was first seen. */
  readonly seen: Message[] = [];
  /** Own messages that came back, with their `seq`. */
  readonly acknowledged = new Map<string, number>();
  /** Own messages that were refused for good, with the code. */
  readonly refused = new Map<string, string>();
  /** What the gateway promised and did not keep. */
  readonly broken: string[] = [];
  readonly #waiting = new Map<string, JsonObject>();
  readonly #urls: readonly string[];
  #attempt = 0;
  readonly #onMessage: (message: Message, client: PersistentClient) => void;
  #socket: WebSocket | undefined;
  #last = 0;
  #stopped = false;

  constructor(
    name: string,
    /** One gateway, or several on one journal: each time it connects to the next one. */
    url: string | readonly string[],
    onMessage: (message: Message, client: PersistentClient) => void = () => {},
  ) {
    this.name = name;
    this.#urls = typeof url === 'string' ? [url] : url;
    this.#onMessage = onMessage;
    this.#connect();
  }

  /** Messages that nothing was heard about. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message: JsonObject & { readonly id: string }): void {
    this.#waiting.set(message.id, message);
    this.#transmit(message);
  }

  stop(): void {
    this.#stopped = true;
    this.#socket?.terminate();
  }

  #connect(): void {
    if (this.#stopped) return;
    const url = this.#urls[this.#attempt++ % this.#urls.length] ?? '';
    const socket = new WebSocket(`${url}?space=main&after=${this.#last}`, {
      headers: { authorization: `Bearer ${this.name}` },
      perMessageDeflate: false,
    });
    this.#socket = socket;
    socket.on('open', () => {
      for (const message of this.#waiting.values()) this.#transmit(message);
    });
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Message));
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(() => this.#connect(), RETRY));
  }

  #transmit(message: JsonObject): void {
    if (this.isOpen) this.#socket?.send(JSON.stringify(message));
  }

  #take(message: Message): void {
    if (message.seq === undefined) return this.#hear(message);
    const isOwn = message.from === this.name;
    if (message.seq <= this.#last) {
      // Only the answer to what was sent again may repeat what was seen.
      if (!isOwn) this.broken.push(`${message.id} came again, ${message.seq} after ${this.#last}`);
      return;
    }
    this.#last = message.seq;
    this.seen.push(message);
    if (isOwn) {
      this.acknowledged.set(message.id, message.seq);
      this.#waiting.delete(message.id);
    }
    this.#onMessage(message, this);
  }

  #hear({ kind, payload, correlationId }: Message): void {
    if (kind !== 'system.error' || typeof correlationId !== 'string') return;
    const message = this.#waiting.get(correlationId);
    if (message === undefined) return;
    if (PASSING.has(payload['error'])) {
      setTimeout(() => this.#waiting.has(correlationId) && this.#transmit(message), RETRY);
      return;
    }
    this.#waiting.delete(correlationId);
    this.refused.set(correlationId, JSON.stringify(payload['error']));
  }
}
