import { type JsonObject, textOf } from '@proffer/core/json';
import { WebSocket } from 'ws';
import type { Acknowledgement, ClientHistory, ToldRefusal } from '../kill/check-operations.js';
import type { Message } from './peer.js';

/** The delay before a failed connection or message is retried, in milliseconds. */
const RETRY = 20;

/** How long a gateway may be silent before the next one is used, in milliseconds. */
const SILENCE = 4_000;

/** Refusals after which the same message is worth resending. */
const PASSING: ReadonlySet<unknown> = new Set(['unavailable', 'executor_absent']);

/**
 * A client as the protocol intends it: it reconnects with the last `seq` it saw, resends what was not
 * acknowledged with the same ids, and records every broken promise.
 */
export class PersistentClient {
  readonly name: string;
  /** Every message with a `seq`, in the order of first arrival. */
  readonly seen: Message[] = [];
  /** Own messages that came back, by id. */
  readonly acknowledged = new Map<string, Acknowledgement>();
  /** Own messages that were refused for good, with what it was told. */
  readonly refused = new Map<string, JsonObject>();
  /** The gateway's broken promises. */
  readonly broken: string[] = [];
  readonly #waiting = new Map<string, JsonObject>();
  readonly #sentAt = new Map<string, number>();
  /** When each message was last sent, and the last error about it. */
  readonly #lastSentAt = new Map<string, number>();
  readonly #lastError = new Map<string, string>();
  /** Sent on a connection that ended before an answer: a copy may still be in flight. */
  readonly #doubtful = new Set<string>();
  readonly #urls: readonly string[];
  #attempt = 0;
  readonly #onMessage: (message: Message, client: PersistentClient) => void;
  #socket: WebSocket | undefined;
  #last = 0;
  #isRepeating = false;
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

  /** Messages without any answer. */
  get waiting(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  /** The `seq` of the last message it saw. */
  get lastSeq(): number {
    return this.#last;
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(message: JsonObject & { readonly id: string }): void {
    this.#waiting.set(message.id, message);
    this.#sentAt.set(message.id, performance.now());
    this.#transmit(message);
  }

  /** Stops resending a message: what it would change is decided, so that it is dropped silently (O-16). */
  forget(id: string): void {
    this.#waiting.delete(id);
  }

  /** What it was told, to compare with the journal. */
  history(): ClientHistory {
    const { name, seen, acknowledged, refused, broken } = this;
    return {
      name,
      seen: seen.map(({ seq = 0, id, kind }) => ({ seq, id, kind })),
      acknowledged: [...acknowledged.values()],
      refused: [...refused.keys()].filter((id) => !this.#doubtful.has(id)),
      told: Array.from(refused, ([id, payload]) => toldIn(id, payload)),
      broken,
    };
  }

  /** Its state, as text. */
  describe(): string {
    const { name, isOpen, waiting } = this;
    const messages = waiting.slice(-5).map((id) => this.#describeMessage(id));
    const at = this.#urls[(this.#attempt - 1) % this.#urls.length];
    return `${name} ${isOpen ? 'at' : 'trying'} ${at}, last seq ${this.#last}, waits for ${messages.join(', ') || 'nothing'} (${waiting.length})`;
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
      handshakeTimeout: SILENCE,
    });
    this.#socket = socket;
    let isAlive = true;
    // A partitioned gateway does not close the connection.
    const watching = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, SILENCE);
    for (const sign of ['pong', 'message']) socket.on(sign, () => (isAlive = true));
    socket.on('open', () => {
      for (const message of this.#waiting.values()) this.#transmit(message);
    });
    socket.on('message', (data: Buffer) => this.#take(JSON.parse(data.toString()) as Message));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(watching);
      for (const id of this.#waiting.keys()) this.#doubtful.add(id);
      setTimeout(() => this.#connect(), RETRY);
    });
  }

  #describeMessage(id: string): string {
    const ago = Math.round((performance.now() - (this.#lastSentAt.get(id) ?? 0)) / 1_000);
    return `${id} [sent ${ago} s ago, last error: ${this.#lastError.get(id) ?? 'none'}]`;
  }

  #transmit(message: JsonObject): void {
    if (!this.isOpen) return;
    this.#lastSentAt.set(textOf(message['id']), performance.now());
    this.#socket?.send(JSON.stringify(message));
  }

  /** Resends everything unanswered after a while. */
  #repeatAll(time: number): void {
    if (this.#isRepeating) return;
    this.#isRepeating = true;
    setTimeout(() => {
      this.#isRepeating = false;
      for (const message of this.#waiting.values()) this.#transmit(message);
    }, time);
  }

  #take(message: Message): void {
    if (message.seq === undefined) return this.#hear(message);
    const isOwn = message.from === this.name;
    if (message.seq <= this.#last) {
      // Only the answer to a resent message may repeat what was seen.
      if (!isOwn) this.broken.push(`${message.id} came again, ${message.seq} after ${this.#last}`);
      return;
    }
    this.#last = message.seq;
    this.seen.push(message);
    if (isOwn) {
      const { id, seq } = message;
      const sentAt = this.#sentAt.get(id) ?? 0;
      this.acknowledged.set(id, { id, seq, sentAt, heardAt: performance.now() });
      this.#waiting.delete(id);
    }
    this.#onMessage(message, this);
  }

  #hear({ kind, payload, correlationId }: Message): void {
    if (kind !== 'system.error') return;
    // It was not even read, so it is unknown which one was too much.
    if (payload['error'] === 'rate_limited')
      return this.#repeatAll(Number(payload['retry_after_ms'] ?? RETRY));
    if (typeof correlationId !== 'string') return;
    const message = this.#waiting.get(correlationId);
    if (message === undefined) return;
    this.#lastError.set(correlationId, textOf(payload['error']));
    if (PASSING.has(payload['error'])) {
      setTimeout(() => this.#waiting.has(correlationId) && this.#transmit(message), RETRY);
      return;
    }
    this.#waiting.delete(correlationId);
    this.refused.set(correlationId, payload);
  }
}

function toldIn(id: string, { error, proposal, state, by }: JsonObject): ToldRefusal {
  return {
    id,
    code: textOf(error),
    proposal: textOf(proposal),
    ...(typeof state === 'string' ? { state } : {}),
    ...(typeof by === 'string' ? { by } : {}),
  };
}
