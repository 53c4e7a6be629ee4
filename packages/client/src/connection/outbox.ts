import type { Envelope } from '@proffer/core';
import { correlationIds } from '@proffer/core/envelope';
import { defined, objectOf, sameJson } from '@proffer/core/json';
import { completeKind } from '@proffer/core/kind';
import { OutboxFullError } from '../connection-errors.js';
import { RefusedError } from '../errors.js';
import { type BatchOutcome, batchReceipt, type Message, type Receipt } from './message.js';

export interface OutboxLimits {
  /** Messages awaiting acknowledgement. Default 1000. */
  readonly maxMessages?: number;
  /** Their approximate size in bytes. Default 16 MiB. */
  readonly maxBytes?: number;
}

export interface OutboxOptions extends OutboxLimits {
  /** Sends, if there is a connection; false if there is none. */
  readonly transmit: (text: string) => boolean;
  /** How many gateways there are to try. Default 1. */
  readonly gateways?: number;
  /**
   * The gateway failed to store a message twice, or did not answer one for a while: another gateway
   * may.
   */
  readonly onUnavailable?: () => void;
}

export interface PutOptions {
  /**
   * For messages that the gateway may silently ignore (O-16): after how many milliseconds without an
   * answer, summed over open connections, it counts as late. Absent: never.
   */
  readonly silence?: number;
  /** Whether it is about several proposals, so that the gateway tells an outcome for each (O-35). Default false. */
  readonly isBatch?: boolean;
}

/** A message that the gateway has not acknowledged. */
interface Waiting {
  readonly id: string;
  /** Whether it may have been accepted before the last time it was sent. */
  readonly wasRepeated: boolean;
}

interface Entry extends Waiting {
  readonly envelope: Envelope;
  readonly text: string;
  readonly isBatch: boolean;
  readonly silence?: number;
  /** How much silence is left before it counts as late, in milliseconds. */
  silenceLeft: number;
  readonly settle: (receipt: Receipt) => void;
  readonly fail: (error: Error) => void;
  wasSent: boolean;
  wasRepeated: boolean;
  /** When it was last sent, in milliseconds since 1970. */
  sentAt: number;
  retries: number;
  /** How many gateways were left because they did not answer it. */
  unanswered: number;
  timer?: ReturnType<typeof setTimeout>;
}

const APPROVAL = 'mcpx.approve.proposal';

/** How often a message is sent again if the journal could not store it. */
const RETRIES = 5;

/** The minimum wait before that, and after exceeding the rate, in milliseconds. */
const PAUSE = 1_000;

/** How long a gateway may leave a message unanswered before another one is tried, in milliseconds. */
const UNANSWERED = 5_000;

/**
 * The minimum time for an answer on a new connection before its message counts as late, in
 * milliseconds.
 */
const SHORTEST_SILENCE = 1_000;

/**
 * Sent but unacknowledged messages. They are sent again on each new connection, under the same id and
 * so without effect if they had arrived (O-3). Bounded: beyond that, messages are refused with an
 * {@link OutboxFullError}.
 */
export class UnacknowledgedMessages {
  readonly #transmit: (text: string) => boolean;
  readonly #gateways: number;
  readonly #onUnavailable: (() => void) | undefined;
  readonly #maxMessages: number;
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;
  #repeating: ReturnType<typeof setTimeout> | undefined;
  #listening: ReturnType<typeof setTimeout> | undefined;

  constructor(options: OutboxOptions) {
    this.#transmit = options.transmit;
    this.#gateways = options.gateways ?? 1;
    this.#onUnavailable = this.#gateways > 1 ? options.onUnavailable : undefined;
    this.#maxMessages = options.maxMessages ?? 1_000;
    this.#maxBytes = options.maxBytes ?? 16 * 1_048_576;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Sends a message now or as soon as there is a connection; settles when the gateway has accepted it. */
  put(envelope: Envelope, { silence, isBatch = false }: PutOptions = {}): Promise<Receipt> {
    const text = JSON.stringify(envelope);
    if (this.#entries.size >= this.#maxMessages) {
      return Promise.reject(new OutboxFullError(this.#maxMessages, 'messages'));
    }
    if (this.#entries.size > 0 && this.#bytes + text.length > this.#maxBytes) {
      return Promise.reject(new OutboxFullError(this.#maxBytes, 'bytes'));
    }
    if (this.#entries.has(envelope.id)) {
      return Promise.reject(new RefusedError('id_conflict', `The id ${envelope.id} is already being sent.`));
    }
    return new Promise((settle, fail) => {
      const entry: Entry = {
        id: envelope.id,
        envelope,
        text,
        isBatch,
        settle,
        fail,
        ...defined({ silence }),
        silenceLeft: silence ?? 0,
        wasSent: false,
        wasRepeated: false,
        sentAt: 0,
        retries: 0,
        unanswered: 0,
      };
      this.#entries.set(entry.id, entry);
      this.#bytes += text.length;
      this.#send(entry);
    });
  }

  /** Cancels a message that was never sent; false if it was sent. */
  cancel(id: string, reason: Error): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.wasSent) return false;
    this.#remove(entry);
    entry.fail(reason);
    return true;
  }

  /** Sends everything again on a new connection. */
  repeat(): void {
    clearTimeout(this.#repeating);
    this.#repeating = undefined;
    for (const entry of this.#entries.values()) this.#send(entry);
  }

  /** Stops the silence timers: there is no connection on which an answer could come. */
  suspend(): void {
    clearTimeout(this.#repeating);
    this.#repeating = undefined;
    this.#stopListening();
    const now = Date.now();
    for (const entry of this.#entries.values()) {
      if (entry.timer === undefined) continue;
      clearTimeout(entry.timer);
      delete entry.timer;
      entry.silenceLeft -= now - entry.sentAt;
    }
  }

  /**
   * The entry acknowledged by one of our own messages. The parts of a batch have `#1` … after the id. Another process
   * under the same name may have used the id for something else: then the gateway refuses ours, and that one's message
   * acknowledges nothing here.
   */
  find(message: Message): Waiting | undefined {
    const { id } = message;
    const entry = this.#entries.get(id);
    if (entry !== undefined) return contradicts(message, entry.envelope) ? undefined : entry;
    const batch = this.#entries.get(id.replace(/#\d+$/, ''));
    return batch?.isBatch === true ? batch : undefined;
  }

  acknowledge({ id }: Waiting, seq: number): void {
    const entry = this.#entries.get(id);
    // The outcomes of all parts come together.
    if (entry === undefined || entry.isBatch) return;
    this.#remove(entry);
    entry.settle({ status: 'accepted', id, seq });
  }

  /** Handles `system.outcomes`: those of a message about several proposals. */
  conclude({ correlationId, payload }: Message): void {
    const entry = typeof correlationId === 'string' ? this.#entries.get(correlationId) : undefined;
    if (entry === undefined) return;
    const outcomes = payload['outcomes'] as readonly BatchOutcome[];
    const isUnavailable = outcomes.some(
      (one) => one.status === 'refused' && one.error.code === 'unavailable',
    );
    if (isUnavailable && this.#mayRepeat(entry)) return;
    this.#remove(entry);
    entry.settle(batchReceipt(entry.id, outcomes));
  }

  /** Handles a `system.error`: about one message, or about our rate. */
  refuse({ correlationId, payload }: Message): void {
    const { error, message, ...details } = payload;
    const code = typeof error === 'string' ? error : 'unknown';
    if (code === 'rate_limited') return this.#repeatAfter(details['retry_after_ms']);
    const entry = typeof correlationId === 'string' ? this.#entries.get(correlationId) : undefined;
    // Too large for its id to be read.
    if (entry === undefined && code === 'too_large') return this.dropLargest();
    if (entry === undefined) return;
    if (code === 'unavailable' && this.#mayRepeat(entry)) return;
    this.#remove(entry);
    const facts = objectOf(details);
    entry.fail(new RefusedError(code, typeof message === 'string' ? message : code, facts));
  }

  /** A message was too large to be read: it can only be the largest. */
  dropLargest(): void {
    const [largest] = [...this.#entries.values()].sort((one, other) => other.text.length - one.text.length);
    if (largest === undefined) return;
    this.#remove(largest);
    const what = `The message has ${largest.text.length} characters, more than the gateway accepts.`;
    largest.fail(new RefusedError('too_large', what, { found: largest.text.length }));
  }

  /** Fails everything that waits. */
  close(reason: Error): void {
    clearTimeout(this.#repeating);
    this.#stopListening();
    for (const entry of this.#entries.values()) {
      this.#remove(entry);
      entry.fail(reason);
    }
  }

  #send(entry: Entry): void {
    if (!this.#transmit(entry.text)) return;
    entry.wasRepeated = entry.wasSent;
    entry.wasSent = true;
    entry.sentAt = Date.now();
    clearTimeout(entry.timer);
    if (entry.silence === undefined) return this.#listen();
    const wait = Math.max(entry.silenceLeft, Math.min(entry.silence, SHORTEST_SILENCE));
    entry.timer = setTimeout(() => {
      this.#remove(entry);
      entry.settle({ status: 'late', id: entry.id });
    }, wait);
  }

  /**
   * Checks now and then whether the gateway still answers: one timer, however many messages wait.
   * Silence about a message that may be ignored means nothing, and neither does silence from every
   * gateway.
   */
  #listen(within = UNANSWERED): void {
    if (this.#onUnavailable === undefined || this.#listening !== undefined) return;
    this.#listening = setTimeout(() => {
      this.#listening = undefined;
      // While the gateway makes us wait, it owes no answer. Resent messages get a new timer.
      if (this.#repeating !== undefined) return;
      const open = [...this.#entries.values()].filter(
        ({ silence, wasSent, unanswered }) => silence === undefined && wasSent && unanswered < this.#gateways,
      );
      const due = Date.now() - UNANSWERED;
      const overdue = open.filter(({ sentAt }) => sentAt <= due);
      for (const entry of overdue) entry.unanswered++;
      if (overdue.length > 0) this.#onUnavailable?.();
      else if (open.length > 0) this.#listen(Math.min(...open.map(({ sentAt }) => sentAt)) - due);
    }, within);
  }

  #stopListening(): void {
    clearTimeout(this.#listening);
    this.#listening = undefined;
  }

  /**
   * The gateway does not say which message exceeded the rate; the accepted ones are recognised by their
   * ids.
   */
  #repeatAfter(wait: unknown): void {
    // The gateway answered, so the silence timer restarts when everything is sent again.
    for (const entry of this.#entries.values()) {
      clearTimeout(entry.timer);
      delete entry.timer;
      entry.silenceLeft = entry.silence ?? 0;
    }
    this.#repeating ??= setTimeout(() => this.repeat(), Math.max(PAUSE, typeof wait === 'number' ? wait : 0));
  }

  /** Sends a message again that could not be stored; false if that was tried often enough. */
  #mayRepeat(entry: Entry): boolean {
    if (entry.retries++ >= RETRIES) return false;
    this.#repeatAfter(PAUSE);
    // The outage may be temporary. Otherwise another address is tried, where everything is sent again.
    if (entry.retries % 2 === 0) this.#onUnavailable?.();
    return true;
  }

  #remove(entry: Entry): void {
    clearTimeout(entry.timer);
    this.#entries.delete(entry.id);
    this.#bytes -= entry.text.length;
    // An idle timer would keep a process from ending.
    if (this.#entries.size === 0) this.#stopListening();
  }
}

/**
 * Whether a delivered message says something else than what was sent. The gateway adds fields and leaves some out, and a
 * request that approves a proposal is delivered as the approval that it is.
 */
function contradicts(delivered: Message, sent: Envelope): boolean {
  const isApproval = sent.kind.startsWith('mcp.request') && delivered.kind === APPROVAL;
  const isOfKind =
    completeKind(sent.kind, sent.payload) === completeKind(delivered.kind, delivered.payload) || isApproval;
  return (
    !isOfKind ||
    !sameJson(correlationIds(sent), correlationIds(delivered)) ||
    Object.entries(sent.payload).some(([field, value]) => {
      const found = delivered.payload[field];
      return found !== undefined && value !== undefined && !sameJson(found, value);
    })
  );
}
