import { failure, type Refusal, type Result, refuse, success } from '@proffer/core';
import {
  describe,
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@proffer/core/json';
import {
  type Ack,
  type Addressed,
  addressOf,
  macpError,
  refusedAck,
  writeAckJson,
} from '@proffer/core/negotiation';
import type { RawData } from 'ws';
import type { Rate } from '../../../config/index.js';
import { type ConnectionEnding, frameMessage } from '../../../delivery/index.js';
import { type ActiveSenders, type BadMessageCounter, STRANGER_BYTES } from '../../../door/index.js';
import type { Metrics } from '../../../metrics/index.js';
import type { NegotiationCaller, NegotiationCalls, SentMessage } from '../../../negotiation/index.js';
import { createFairReader } from '../fair-reader.js';
import { NO_TEXT, type ReceivedText, receivedText } from '../received-text.js';
import { createSocketSink } from '../socket-sink.js';
import type { OpenedSocket } from '../upgrade.js';
import { createSessionFeeds } from './session-feeds.js';

/** Limits of a negotiation connection. */
export interface MacpLimits {
  /** Larger than any allowed payload, so that the sender gets a proper refusal. */
  readonly json: JsonLimits;
  /** Bytes that a peer may leave unread. */
  readonly maxUnread: number;
  /** Malformed frames before the connection is ended. */
  readonly badMessages: Rate;
}

export interface MacpConnectionOptions extends OpenedSocket {
  readonly caller: NegotiationCaller;
  readonly clock: () => number;
  readonly macp: MacpLimits;
  /** Creates the bad-frame counter of a participant's connection. */
  readonly countBadOf: (participant: string) => BadMessageCounter;
  readonly metrics: Metrics;
  readonly activeSenders: ActiveSenders;
  /** Parses an envelope. */
  readonly readSent: (value: JsonValue) => Result<SentMessage>;
}

/**
 * One WebSocket for negotiations, like `StreamSession` but for any number of sessions: each envelope
 * is answered with `{ ack }`, and a subscriber of a session gets `{ sequence, accepted_at_unix_ms, envelope
 * }` for each accepted envelope, past and future. A bad frame is answered with `{ error }`, and the
 * connection stays open.
 */
export function serveMacpConnection(options: MacpConnectionOptions): void {
  const { webSocket, socket, caller, clock, macp, metrics, activeSenders } = options;
  const sink = createSocketSink(webSocket, socket);
  const reader = createFairReader({ webSocket, sink, take, activeSenders });
  const countBad = options.countBadOf(caller.name);
  const isOpen = (): boolean => webSocket.readyState === webSocket.OPEN;

  function end(why: ConnectionEnding): void {
    if (isOpen()) sink.end(why);
  }

  /** A peer that does not read its answers makes us buffer them (I-7). */
  function checkUnread(): void {
    if (!isOpen() || sink.buffered() <= macp.maxUnread) return;
    metrics.fellBehind.inc();
    end('fell_behind');
  }

  function write(frame: JsonObject): void {
    sink.gather();
    sink.write(frameMessage('websocket', { text: JSON.stringify(frame) }));
    checkUnread();
  }

  const tell = (refusal: Refusal, about: Addressed): void => {
    write({ error: macpError(about, refusal) });
    if (refusal.code === 'RATE_LIMITED') reader.holdBack(refusal);
  };

  const feeds = createSessionFeeds({ caller, sink: { ...sink, end }, refuse: tell });

  function countMalformed(): void {
    if (countBad(clock()) === undefined) return;
    end('too_many_errors');
    options.onThrownOut();
  }

  async function send(envelope: JsonObject, calls: NegotiationCalls): Promise<void> {
    let isMisunderstood = false;
    const decode = (): Result<SentMessage> => {
      const message = options.readSent(envelope);
      isMisunderstood = !message.ok;
      return message;
    };
    acknowledge(await calls.send({ address: addressOf(envelope), decode }));
    if (isMisunderstood) countMalformed();
  }

  /** A frame that is not an envelope is still a message: it is rate-limited and counted. */
  async function refuseFrame(refusal: Refusal, address: Addressed, calls: NegotiationCalls): Promise<void> {
    const { error } = await calls.send({ address, decode: () => failure(refusal) });
    if (error !== undefined) write({ error });
    countMalformed();
  }

  /** A frame over the rate is answered as what it would have been, as far as visible. */
  function refuseAttempt(refusal: Refusal, value: JsonValue): void {
    const frame = readMacpFrame(value);
    const about = addressOf(value);
    if (frame.ok && frame.value.type === 'envelope') acknowledge(refusedAck(about, refusal));
    else tell(refusal, about);
  }

  function acknowledge(ack: Ack): void {
    write({ ack: writeAckJson(ack) });
    if (ack.error?.code === 'RATE_LIMITED') reader.holdBack(ack.error);
  }

  function take(text: ReceivedText): void {
    reader.begin(text.size);
    understand(text.text())
      .catch(() => end('interrupted'))
      .finally(() => reader.end(text.size));
  }

  async function understand(text: string): Promise<void> {
    const attempt = caller.checkRightsAndRate();
    const json = parseJson(text, attempt.ok ? macp.json : { ...macp.json, maxBytes: STRANGER_BYTES });
    const value = json.ok ? json.value : null;
    if (!attempt.ok) return refuseAttempt(attempt.refusal, value);
    const calls = attempt.value;
    const frame = json.ok ? readMacpFrame(value) : json;
    if (!frame.ok) return await refuseFrame(frame.refusal, addressOf(value), calls);
    const asked = frame.value;
    if (asked.type === 'envelope') await send(asked.envelope, calls);
    else if (asked.type === 'subscribe') await feeds.subscribe(asked.sessionId, asked.after, calls);
    else feeds.unsubscribe(asked.sessionId);
  }

  const presence = caller.stay(end);
  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    // Messages after the close are not accepted.
    if (!sink.isEnded) reader.offer(isBinary ? NO_TEXT : receivedText(data));
  });
  webSocket.on('ping', (data: Buffer) => {
    reader.run(() => {
      if (!isOpen()) return;
      sink.gather();
      webSocket.pong(data);
      checkUnread();
    });
  });
  webSocket.on('close', () => {
    presence.stop();
    feeds.stop();
  });
  // The library closes the connection on its own; without a listener the error would end the process.
  webSocket.on('error', () => {});
}

/** A peer's request about negotiations in one message. */
type MacpFrame =
  /** An envelope in its JSON form, not parsed yet. */
  | { readonly type: 'envelope'; readonly envelope: JsonObject }
  /** Subscribes to a session after a sequence number. */
  | { readonly type: 'subscribe'; readonly sessionId: string; readonly after: number }
  /** Unsubscribes from a session. */
  | { readonly type: 'unsubscribe'; readonly sessionId: string };

/**
 * Distinguishes the frames: `{ subscribe_session_id, after_sequence }`, `{ unsubscribe_session_id }`, and
 * anything else is an envelope. Refuses with `INVALID_ENVELOPE`.
 */
function readMacpFrame(value: JsonValue): Result<MacpFrame> {
  if (!isJsonObject(value)) return wrong('', value, 'an object');
  const { subscribe_session_id: wanted, unsubscribe_session_id: unwanted, after_sequence: after = 0 } = value;
  if (wanted === undefined && unwanted === undefined) return success({ type: 'envelope', envelope: value });
  const field = wanted === undefined ? 'unsubscribe_session_id' : 'subscribe_session_id';
  const sessionId = value[field];
  if (Object.hasOwn(value, 'message_type') || (wanted !== undefined && unwanted !== undefined)) {
    return wrong(field, sessionId, 'a frame of its own');
  }
  if (typeof sessionId !== 'string' || sessionId === '')
    return wrong(field, sessionId, 'the id of a session');
  if (wanted === undefined) return success({ type: 'unsubscribe', sessionId });
  if (typeof after !== 'number' || !Number.isSafeInteger(after) || after < 0) {
    return wrong('after_sequence', after, 'a sequence number');
  }
  return success({ type: 'subscribe', sessionId, after });
}

function wrong(field: string, found: JsonValue | undefined, expected: string): ReturnType<typeof failure> {
  const what = field === '' ? 'A frame is not an object.' : `${field} of the frame is invalid.`;
  return failure(refuse('INVALID_ENVELOPE', what, { field, found: describe(found), expected }));
}
