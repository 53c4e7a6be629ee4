import { GATEWAY, readObject } from '@proffer/core';
import { defined } from '@proffer/core/json';
import { ConnectionClosedError } from '../connection-errors.js';
import { createDeferred } from '../deferred.js';
import { RefusedError } from '../errors.js';
import { createListeners, type Listeners } from '../listeners.js';
import type { Addresses, Destination } from './addresses.js';
import type { RetryOptions } from './backoff.js';
import { Connection, type TokenSource } from './connection.js';
import { Cursor } from './cursor.js';
import type { Message, OutgoingMessage, Receipt } from './message.js';
import { newId } from './new-id.js';
import { type OutboxLimits, type PutOptions, UnacknowledgedMessages } from './outbox.js';
import type { OpenSocket, SocketEnd } from './socket.js';
import { readWelcome, type Welcome } from './welcome.js';

export interface ExchangeOptions {
  readonly destination: Omit<Destination, 'url'>;
  readonly addresses: Addresses;
  readonly token: TokenSource;
  readonly openSocket: OpenSocket;
  readonly retry?: RetryOptions;
  readonly outbox?: OutboxLimits;
  readonly after?: number;
  readonly onFault: (error: unknown) => void;
}

/** The connection was lost and will be retried. */
export interface Lost {
  /** The WebSocket close code; 1006 if there was no close frame. */
  readonly code: number;
  readonly cause?: unknown;
  /** Milliseconds until the next attempt. */
  readonly retryIn: number;
}

/** The gateway decides on sizes; this only keeps a mistake from using up all the memory. */
const LIMITS = { maxBytes: 64 * 1_048_576, maxDepth: 512 };

/**
 * Sends and receives over a connection that reconnects: what is sent arrives once, and nothing is
 * received twice. Knows nothing of proposals or tools.
 */
export class Exchange {
  /** Everything delivered, each message once. In order, except for own messages that were sent again. */
  readonly messages: Listeners<Message>;
  /** Each message that we sent, as the gateway has it, including one that it already had. */
  readonly taken: Listeners<Message>;
  /** Called each time the gateway accepts us. */
  readonly welcomes: Listeners<Welcome>;
  readonly losses: Listeners<Lost>;
  /** Called once when the connection has ended, with the reason: `closed` if we closed it. */
  readonly endings: Listeners<ConnectionClosedError>;
  readonly #over = createDeferred<ConnectionClosedError>();
  readonly #connection: Connection;
  readonly #outbox: UnacknowledgedMessages;
  readonly #cursor: Cursor;
  #welcome: Welcome | undefined;
  #reason: ConnectionClosedError | undefined;

  constructor(options: ExchangeOptions) {
    this.messages = createListeners(options.onFault);
    this.taken = createListeners(options.onFault);
    this.welcomes = createListeners(options.onFault);
    this.losses = createListeners(options.onFault);
    this.endings = createListeners(options.onFault);
    this.#cursor = new Cursor(options.after);
    this.#outbox = new UnacknowledgedMessages({
      ...options.outbox,
      transmit: (text) => this.#connection.send(text),
      gateways: options.addresses.all.length,
      onUnavailable: () => this.#connection.moveOn(),
    });
    this.#connection = new Connection({
      ...options,
      after: () => this.#cursor.seq,
      onWelcome: (message) => this.#enter(message),
      onMessage: (message) => this.#take(message),
      onLost: (end, retryIn) => this.#lose(end, retryIn),
      onOver: (reason) => {
        this.#reason = reason ?? new ConnectionClosedError('closed', 'The connection was closed.');
        this.#outbox.close(this.#reason);
        this.endings.tell(this.#reason);
        this.#over.settle(this.#reason);
      },
    });
  }

  /** The last welcome. Throws before the first. */
  get welcome(): Welcome {
    if (this.#welcome === undefined) throw new Error('The gateway has not sent a welcome yet.');
    return this.#welcome;
  }

  get isUp(): boolean {
    return this.#connection.isUp;
  }

  /** Settles when the connection has ended, with the reason: `closed` if we closed it. */
  get over(): Promise<ConnectionClosedError> {
    return this.#over.promise;
  }

  get isOver(): boolean {
    return this.#reason !== undefined;
  }

  /** Everything up to here was received. */
  get seq(): number {
    return this.#cursor.seq ?? 0;
  }

  /**
   * Sends a message; settles when the gateway has accepted it. Fails with a {@link RefusedError} if the
   * gateway refuses it or it is malformed, with an OutboxFullError if too much is waiting, with a
   * {@link ConnectionClosedError} if the connection has ended.
   */
  send(draft: OutgoingMessage, options: PutOptions = {}): Promise<Receipt> {
    if (this.#reason !== undefined) return Promise.reject(this.#reason);
    const now = Date.now();
    const id = draft.id ?? newId();
    const from = this.welcome.you.id;
    const reading = readObject({ ...draft, id }, { from, now, dialect: 'mcpx', limits: LIMITS });
    if (reading.ok) return this.#outbox.put(reading.value.envelope, options);
    const { code, message, details } = reading.refusal;
    return Promise.reject(new RefusedError(code, message, details));
  }

  /** Cancels a message that was never sent; false if it was sent. */
  cancel(id: string, reason: Error): boolean {
    return this.#outbox.cancel(id, reason);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  #enter(message: Message): void {
    const welcome = readWelcome(message.payload);
    this.#welcome = welcome;
    this.#cursor.begin(welcome.seq);
    this.#outbox.repeat();
    this.welcomes.tell(welcome);
  }

  #take(message: Message): void {
    if (message.from === GATEWAY) {
      if (message.kind === 'system.error') this.#outbox.refuse(message);
      if (message.kind === 'system.outcomes') this.#outbox.conclude(message);
    }
    const { seq } = message;
    if (seq === undefined) return this.messages.tell(message);
    const waiting = message.from === this.welcome.you.id ? this.#outbox.find(message) : undefined;
    const outOfOrder = waiting !== undefined && (waiting.wasRepeated || seq <= this.welcome.seq);
    const isNew = this.#cursor.take(seq, { outOfOrder });
    if (waiting !== undefined) {
      this.taken.tell(message);
      this.#outbox.acknowledge(waiting, seq);
    }
    if (isNew) this.messages.tell(message);
  }

  #lose({ code, cause }: SocketEnd, retryIn: number): void {
    this.#outbox.suspend();
    if (code === 1009) this.#outbox.dropLargest();
    this.losses.tell({ code, retryIn, ...defined({ cause }) });
  }
}
