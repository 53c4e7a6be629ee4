import { Connection, type ConnectionOptions } from '../connection/connection.js';
import { Cursor } from '../connection/cursor.js';
import type { JournalledMessage, Message } from '../connection/message.js';
import { readWelcome } from '../connection/welcome.js';
import type { ConnectionClosedError } from '../connection-errors.js';

export interface FeedOptions {
  /** The `seq` after which to start; 0 for the whole journal. Default now. */
  readonly after?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** About how many messages to read ahead of the consumer. Default 1000. */
  readonly buffer?: number;
  /**
   * `directed`: only broadcasts and messages addressed to us (O-21). Default: the participant's
   * setting.
   */
  readonly routing?: 'all' | 'directed';
}

type FeedConnection = Pick<ConnectionOptions, 'destination' | 'addresses' | 'token' | 'openSocket' | 'retry'>;

/**
 * Everything accepted in a space, each message once and in order (I-6), over a separate connection,
 * so that a slow consumer delays nothing else. When the buffer is full nothing more is read until
 * half of it is consumed; if the gateway disconnects, the feed resumes after the last message it
 * read. Ends with the signal, `close` or `return`; throws if the gateway no longer accepts us.
 */
export class Feed implements AsyncIterableIterator<JournalledMessage> {
  readonly #connection: Connection;
  readonly #cursor: Cursor;
  readonly #limit: number;
  #buffer: JournalledMessage[] = [];
  /** The first unconsumed message of the buffer. */
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

  /** Ends the iteration; messages read ahead are dropped. */
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
    // Consumed messages are cut off now and then, not each time, so that the cost per message is
    // constant.
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
