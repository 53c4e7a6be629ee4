import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type ConsumerMessages, DeliverPolicy, type JetStreamClient, type JsMsg } from '@nats-io/jetstream';
import type { ReadMessage } from '../messages/message.js';

export interface TailOptions {
  readonly client: JetStreamClient;
  readonly stream: string;
  /** All messages of the stream up to this sequence are known. */
  readonly after: number;
  /** Called with messages in stream order, as many as arrived together. */
  readonly onMessages: (messages: readonly ReadMessage[]) => void;
  /** Rejects unless the stream is the one that was opened. */
  readonly verify: () => Promise<void>;
  /** Following failed, and is retried. */
  readonly onTrouble: (error: Error) => void;
}

/** How long to wait before following the stream again after a failure, in milliseconds. */
const PAUSE = 200;

/** How long the server keeps an idle consumer, in milliseconds. */
const FORGOTTEN = 30_000;

/** How much the server may send ahead, and how it shows that it is there. */
const PULL = { max_messages: 2_000, expires: 10_000, idle_heartbeat: 1_000 };

interface Consuming {
  readonly signal: AbortSignal;
  readonly onMessage: (message: JsMsg) => void;
}

/**
 * Follows the stream from where it was opened: every message once, in order. If the client's ordered
 * consumer cannot recover, for example after an outage of minutes, it restarts after the last message
 * that arrived.
 */
export class Tail {
  readonly #options: TailOptions;
  readonly #waiting: { readonly seq: number; readonly go: () => void }[] = [];
  #arrived: ReadMessage[] = [];
  #seq: number;
  #attempt = new AbortController();
  #stopped = false;
  readonly #following: Promise<void>;

  constructor(options: TailOptions) {
    this.#options = options;
    this.#seq = options.after;
    this.#following = this.#follow();
  }

  /** The sequence of the last message that arrived. */
  get seq(): number {
    return this.#seq;
  }

  /** Settles when everything up to a sequence has arrived, or when it is stopped. */
  async reached(seq: number): Promise<void> {
    if (seq <= this.#seq || this.#stopped) return;
    await new Promise<void>((go) => this.#waiting.push({ seq, go }));
  }

  /**
   * Restarts after the last message that arrived. Messages that a server sent into a broken connection
   * are not sent again, and the client notices only with the next message.
   */
  restart(): void {
    this.#attempt.abort();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#attempt.abort();
    for (const { go } of this.#waiting.splice(0)) go();
    await this.#following;
  }

  async #follow(): Promise<void> {
    let expected = this.#seq;
    while (!this.#stopped) {
      this.#attempt = new AbortController();
      const attempt = this.#attempt;
      const { signal } = attempt;
      const onMessage = verifiedMessages({
        verify: this.#options.verify,
        onMessage: (message) => {
          // Messages that a recreated consumer repeats are already known.
          if (signal.aborted || message.seq <= expected) return;
          expected = message.seq;
          this.#take(message);
        },
        onFailed: (error) => {
          if (signal.aborted) return;
          this.#options.onTrouble(asError(error));
          setTimeout(() => attempt.abort(), PAUSE);
        },
      });
      try {
        const ended = await (await this.#consume(expected + 1, { signal, onMessage })).closed();
        if (ended !== undefined) throw ended;
      } catch (error) {
        if (!signal.aborted) this.#options.onTrouble(asError(error));
      }
      if (!signal.aborted) await delay(PAUSE);
    }
  }

  /**
   * Passes on each message from a sequence on, until the signal ends it. Rejects at once with the
   * signal. A callback instead of a loop: the client's iterator would take a tenth of the time that
   * following takes.
   */
  async #consume(from: number, { signal, onMessage }: Consuming): Promise<ConsumerMessages> {
    const { client, stream } = this.#options;
    const begun = client.consumers
      .get(stream, {
        name_prefix: `proffer-tail-${randomUUID()}`,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: from,
        inactive_threshold: FORGOTTEN,
      })
      .then((consumer) => consumer.consume({ ...PULL, callback: onMessage }))
      .then((messages) => {
        if (signal.aborted) messages.stop();
        signal.addEventListener('abort', () => messages.stop());
        return messages;
      });
    return await Promise.race([begun, aborted(signal)]);
  }

  /** Messages of one event loop turn are passed on together. */
  #take(message: JsMsg): void {
    if (this.#arrived.length === 0) setImmediate(() => this.#flush());
    // Unparsed: its headers are read only by those who need them.
    this.#arrived.push(message);
  }

  #flush(): void {
    const messages = this.#arrived;
    const last = messages.at(-1);
    if (last === undefined) return;
    this.#arrived = [];
    this.#seq = last.seq;
    this.#options.onMessages(messages);
    const reached = this.#waiting.filter(({ seq }) => seq <= last.seq);
    if (reached.length === 0) return;
    const rest = this.#waiting.filter(({ seq }) => seq > last.seq);
    this.#waiting.splice(0, this.#waiting.length, ...rest);
    for (const { go } of reached) go();
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('it was stopped'))),
  );
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

interface VerifiedMessagesOptions {
  /** Rejects unless the stream is the one that was opened. */
  readonly verify: () => Promise<void>;
  /** Called with the messages of verified consumers, in order. */
  readonly onMessage: (message: JsMsg) => void;
  /** A consumer could not be verified, so its messages are dropped. */
  readonly onFailed: (error: unknown) => void;
}

/**
 * Passes on messages only if they are from the stream that was opened. The client recreates a consumer that is gone
 * on its own, perhaps on another stream that has taken the name. A consumer ends with its stream: so if the stream
 * is still the right one after the first message of a consumer, it is the consumer's own.
 */
function verifiedMessages(options: VerifiedMessagesOptions): (message: JsMsg) => void {
  let verified = '';
  let unverified: { readonly consumer: string; readonly messages: JsMsg[] } | undefined;

  async function verify(one: NonNullable<typeof unverified>): Promise<void> {
    try {
      await options.verify();
    } catch (error) {
      return options.onFailed(error);
    }
    if (unverified !== one) return;
    verified = one.consumer;
    unverified = undefined;
    for (const message of one.messages) options.onMessage(message);
  }

  return (message) => {
    const { consumer } = message.info;
    if (consumer === verified) return options.onMessage(message);
    if (unverified?.consumer === consumer) return void unverified.messages.push(message);
    unverified = { consumer, messages: [message] };
    void verify(unverified);
  };
}
