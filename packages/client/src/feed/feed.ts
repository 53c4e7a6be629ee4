import { Connection, type ConnectionOptions } from '../connection/connection.js';
import { Cursor } from '../connection/cursor.js';
import type { JournalledMessage, Message } from '../connection/message.js';
import { readWelcome } from '../connection/welcome.js';
import type { ConnectionClosedError } from '../connection-errors.js';

export interface FeedOptions {
  /** The `seq` after which to begin; 0 for everything that the journal has. Default now. */
  readonly after?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** How many messages to read ahead of the consumer, about. Default 1000. */
  readonly buffer?: number;
  /** `directed`: only broadcasts and what is addressed to us (O-21). Default what the participant has. */
  readonly routing?: 'all' | 'directed';
}

type FeedConnection = Pick<ConnectionOptions, 'destination' | 'addresses' | 'token' | 'openSocket' | 'retry'>;

/**
 * Everything that is accepted in a space, each message once and in order (I-6), over a connection of its
 * own, so that a slow consumer holds up nothing else. When the buffer is full nothing more is read until
 * half of it is consumed; if the gateway loses patience, the feed comes back after the last message it
 * read. Ends with the signal, `close` or `return`; throws when the gateway does not let us in any more.
 */
export class Feed implements AsyncIterableIterator<JournalledMessage> {
  readonly #connection: Connection;
  readonly #cursor: Cursor;
  readonly #limit: number;
  #buffer: JournalledMessage[] = [];
  /** The first message of the buffer that is not consumed. */
  #head = 0;
  #waiting: (() => void)[] = [];
  #reason: ConnectionClosedError | undefined;
  #isOver = false;

  constructor(connection: FeedConnection, { after, signal, buffer = 1_000 }: FeedOptions) {
    this.#limit = Math.max(1, buffer);
    this.#cursor = new Cursor(after);
    const stop = (): void => void this.close();
    this.#connection = new Connection({
      ...connection,
      after: () => this.#cursor.seq,
      onWelcome: ({ payload }) => this.#cursor.begin(readWelcome(payload).seq),
      onMessage: (message) => this.#take(message),
      onLost: () => {},
      onOver: (reason) => {
        this.#reason = reason;
        this.#isOver = true;
        signal?.removeEventListener('abort', stop);
        this.#wake();
      },
    });
    signal?.addEventListener('abort', stop);
    if (signal?.aborted === true) stop();
  }

  /** Whether nothing more will be read. */
  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<JournalledMessage, undefined>> {
    for (;;) {
      const message = this.#buffer[this.#head];
      if (message !== undefined) {
        this.#consume();
        return { done: false, value: message };
      }
      if (this.#reason !== undefined) throw this.#reason;
      if (this.#isOver) return { done: true, value: undefined };
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  /** What `break` in a loop does: closes the connection. */
  async return(): Promise<IteratorResult<JournalledMessage, undefined>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /** Ends the iteration; what was read ahead is dropped. */
  async close(): Promise<void> {
    this.#buffer = [];
    this.#head = 0;
    await this.#connection.close();
  }

  #take(message: Message): void {
    const { seq } = message;
    if (seq === undefined || !this.#cursor.take(seq)) return;
    this.#buffer.push({ ...message, seq });
    if (this.#buffer.length - this.#head >= this.#limit) this.#connection.hold();
    this.#wake();
  }

  #consume(): void {
    this.#head++;
    const left = this.#buffer.length - this.#head;
    // Cut off what is consumed now and then, not each time, so that it costs the same per message.
    if (this.#head > left) {
      this.#buffer = this.#buffer.slice(this.#head);
      this.#head = 0;
    }
    if (left <= this.#limit / 2) this.#connection.release();
  }

  #wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const go of woken) go();
  }
}
