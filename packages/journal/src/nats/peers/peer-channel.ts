import { randomUUID } from 'node:crypto';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import type { PeerChannel } from '../../journal.js';
import type { Authenticity } from '../authenticity/index.js';
import { HeaderText } from '../messages/message.js';

/** How many of a sender's last messages may arrive late: those of a server that failed arrive after later ones. */
const SIZE = 1_024;

/** Which messages of a sender have arrived: each counts once, and very old ones do not count any more. */
export class ReplayWindow {
  #highest = 0;
  readonly #seen = new Set<number>();

  /** Whether the message with this number is new; from then on it is not. Numbers start with 1. */
  take(count: number): boolean {
    if (!Number.isSafeInteger(count) || count <= this.#highest - SIZE || this.#seen.has(count)) return false;
    this.#seen.add(count);
    for (; this.#highest < count; this.#highest++) this.#seen.delete(this.#highest + 1 - SIZE);
    return true;
  }
}

/** What is known about another process on the channel. */
interface PeerSender<Message> {
  readonly window: ReplayWindow;
  /** Whether it has shown that it is running. */
  isLive: boolean;
  /** The sender's messages that wait for that, in the order of arrival. */
  held: Message[];
  /** What it is asked: nobody could have known the answer before. */
  readonly question: string;
  /** When it was last asked, and heard from, in milliseconds on a monotonic clock. */
  askedAt: number;
  heardAt: number;
}

/** How many processes are known at a time, and how many messages of one are held, at most (I-7). */
const MAX_SENDERS = 256;
const MAX_HELD = 256;

/** How long a process may be silent before it is forgotten, in milliseconds. */
const SILENCE = 60_000;

/** The other processes on a channel, by their ids. */
class Senders<Message> {
  readonly #known = new Map<string, PeerSender<Message>>();

  /** The process with an id, which was heard from now. */
  hear(id: string, now: number): PeerSender<Message> {
    const known = this.#known.get(id);
    // The one that was heard from last comes last.
    this.#known.delete(id);
    const sender = known ?? {
      window: new ReplayWindow(),
      question: randomUUID(),
      isLive: false,
      held: [],
      askedAt: Number.NEGATIVE_INFINITY,
      heardAt: now,
    };
    sender.heardAt = now;
    this.#known.set(id, sender);
    this.#forget(now);
    return sender;
  }

  /** Keeps a message for when its sender has shown that it is running. */
  hold(sender: PeerSender<Message>, message: Message): void {
    if (sender.held.length === MAX_HELD) sender.held.shift();
    sender.held.push(message);
  }

  #forget(now: number): void {
    for (const [id, { heardAt }] of this.#known) {
      if (this.#known.size <= MAX_SENDERS && now - heardAt < SILENCE) return;
      this.#known.delete(id);
    }
  }
}

export interface PeerChannelOptions {
  readonly connection: NatsConnection;
  /** The name of the journal's stream. */
  readonly stream: string;
  readonly authenticity: Pick<Authenticity, 'signText' | 'isTextValid'>;
  /** A message was not from another gateway. */
  readonly onRejected: () => void;
}

const FROM = 'Proffer-From';
/** The number of the message among those of its sender. */
const COUNT = 'Proffer-Count';
const MAC = 'Proffer-Mac';

/** How often a sender is asked to show that it is running, at most, in milliseconds. */
const ASK_EVERY = 250;

/** A message as received, with its sender and number, which are signed with it. */
interface Received {
  readonly from: string;
  readonly count: number;
  readonly text: string;
}

/**
 * A channel on a subject outside the stream, so that nothing is stored. A message counts only with a MAC under the
 * shared keys, and once: it carries its sender and a number. A message of a process that ended long ago could be
 * sent again by whoever recorded it, so a sender that was not heard from before is first asked to answer a random
 * question; until then its messages wait.
 */
export function createPeerChannel(options: PeerChannelOptions): PeerChannel {
  const { connection, stream, authenticity, onRejected } = options;
  const subject = `${stream}-peers`;
  const self = randomUUID();
  const senders = new Senders<JsonObject>();
  const listeners = new Set<(message: JsonObject) => void>();
  let count = 0;
  let isListening = false;

  function send(message: JsonObject): boolean {
    const text = JSON.stringify(message);
    const headers = new HeaderText();
    const mine = { from: self, count: count + 1, text };
    headers.append(FROM, self);
    headers.append(COUNT, mine.count);
    headers.append(MAC, authenticity.signText(signed(mine)));
    const size = Buffer.byteLength(text) + String(headers).length + OVERHEAD;
    if (size > (connection.info?.max_payload ?? Number.POSITIVE_INFINITY)) return false;
    if (connection.isClosed()) return true;
    count++;
    connection.publish(subject, text, { headers: headers.forClient() });
    return true;
  }

  function deliver(message: JsonObject): void {
    for (const listener of listeners) listener(message);
  }

  function hear(message: Msg): void {
    const { headers: found } = message;
    const mac = found?.get(MAC);
    const received = {
      from: found?.get(FROM) ?? '',
      count: Number(found?.get(COUNT)),
      text: message.string(),
    };
    const isSigned = mac !== undefined && mac !== '';
    if (!authenticity.isTextValid(signed(received), isSigned ? mac : undefined)) return onRejected();
    const content = readObject(received.text);
    if (content === undefined) return;
    // Accepted without a MAC only while older releases are being replaced.
    if (!isSigned) return deliver(content);
    const now = performance.now();
    const sender = senders.hear(received.from, now);
    if (!sender.window.take(received.count)) return;
    if (received.from === self) return isControl(content) ? undefined : deliver(content);
    const { type, to, answer } = content;
    if (type === PROVE)
      return void (to === self && send({ type: PROOF, to: received.from, answer: answer ?? '' }));
    if (type === PROOF) return to === self && answer === sender.question ? accept(sender) : undefined;
    if (sender.isLive) return deliver(content);
    senders.hold(sender, content);
    if (now - sender.askedAt < ASK_EVERY) return;
    sender.askedAt = now;
    send({ type: PROVE, to: received.from, answer: sender.question });
  }

  /** The sender is running, and so are its messages: nobody else could have answered. */
  function accept(sender: PeerSender<JsonObject>): void {
    sender.isLive = true;
    const { held } = sender;
    sender.held = [];
    for (const message of held) deliver(message);
  }

  /** Also for one that only sends: it is asked whether it is running. */
  function begin(): void {
    if (isListening || connection.isClosed()) return;
    isListening = true;
    connection.subscribe(subject, {
      callback(error, message) {
        if (error === null) hear(message);
      },
    });
  }

  return {
    tell(message) {
      begin();
      return send(message);
    },
    listen(listener) {
      begin();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The messages of the channel itself. Older releases ignore them. */
const PROVE = 'prove';
const PROOF = 'proof';

/** What is signed. */
const signed = ({ from, count, text }: Received): string => `${from}\n${count}\n${text}`;

const isControl = ({ type }: JsonObject): boolean => type === PROVE || type === PROOF;

/** The first line of headers, in bytes, and some room. */
const OVERHEAD = 64;

function readObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
