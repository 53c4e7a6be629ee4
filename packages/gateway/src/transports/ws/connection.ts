import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { type DialectName, GATEWAY, PROTOCOL, type Refusal } from '@proffer/core';
import type { JsonLimits, JsonObject } from '@proffer/core/json';
import { errorPayload } from '@proffer/core/operations';
import type { RawData, WebSocket } from 'ws';
import { type Following, readsStreams, STREAM_MARK, streamIn } from '../../delivery/index.js';
import type { ActiveSenders } from '../../door/index.js';
import type { Metrics } from '../../metrics/index.js';
import {
  receive,
  type SenderQueue,
  type SpaceCaller,
  type SpaceMessageOutcome,
  showParts,
} from '../../operations/index.js';
import { createFairReader } from './fair-reader.js';
import { createMewIds, type Translation } from './mew/ids.js';
import { type Join, readJoin } from './mew/join.js';
import { NO_TEXT, type ReceivedText, receivedText } from './received-text.js';
import { createSocketSink } from './socket-sink.js';
import type { OpenedSocket } from './upgrade.js';

/** Counts refusals, once, where they are answered. */
export type CountRefusal = (refusal: Refusal) => void;

/** The options in the URL of a connection. */
export interface ConnectionQuery {
  readonly after?: number;
  readonly routing: 'all' | 'directed';
  /** Default: that of the first valid message; until then the canonical one. */
  readonly dialect?: DialectName;
  /** Whether each message comes with its record. */
  readonly records: boolean;
  /** Distinguishes a returning client from another one with the same name. */
  readonly instance?: string;
}

interface ConnectionOptions {
  readonly webSocket: WebSocket;
  readonly socket: Duplex;
  readonly caller: SpaceCaller;
  readonly asked: ConnectionQuery;
  readonly clock: () => number;
  readonly limits: JsonLimits;
  readonly metrics: Metrics;
  readonly countRefusal: CountRefusal;
  readonly activeSenders: ActiveSenders;
  /** The peer was disconnected for what it sent. */
  readonly onThrownOut: () => void;
  /** See {@link OpenedSocket.takeTexts}. Default: all messages come by the WebSocket. */
  readonly takeTexts?: OpenedSocket['takeTexts'];
  /** Translates between the peer's messages and ours. Default: none. */
  readonly translation?: Translation;
  /** Why the peer cannot join by its first message, as mew clients do. Default: it has joined. */
  readonly checkJoin?: (join: Join) => Refusal | undefined;
}

/** One WebSocket: passes messages between the peer and the space, until it closes. */
export function serveConnection(options: ConnectionOptions): Following {
  const { webSocket, caller, asked, clock, limits, metrics, countRefusal } = options;
  const { liveSpace } = caller;
  const queue: SenderQueue = { server: { isOpen: true, instance: asked.instance } };
  const sink = createSocketSink(webSocket, options.socket);
  let translate: Translation['incoming'] | undefined;
  let { dialect } = asked;
  /** Whether the next message is the first one, which may be a join. */
  let isFirst = options.checkJoin !== undefined;
  /** The dialect of the message being answered: malformed messages do not determine the dialect of others. */
  let shown: DialectName | undefined;
  const following: Following = {
    name: caller.name,
    routing: asked.routing,
    observer: caller.observer,
    roles: caller.roles,
    sink,
    get reading() {
      return { dialect: dialect ?? shown ?? 'mcpx', framing: 'websocket', records: asked.records } as const;
    },
    mayStay: () => caller.rights().ok,
  };
  queue.following = following;
  const reader = createFairReader({ webSocket, sink, take, activeSenders: options.activeSenders });
  const tallies = metrics.messagesBy('ws');
  if (options.translation !== undefined) speak(options.translation);

  function speak(translation: Translation): void {
    translate = translation.incoming;
    const write = sink.write.bind(sink);
    // In place: the reader and the space have this sink.
    Object.assign(sink, { write: (frames: Buffer) => write(translation.outgoing(frames)) });
  }

  /** A mew client that is already let in announces itself once more. True if the message was that. */
  function joins(text: ReceivedText): boolean {
    isFirst = false;
    const join = dialect === undefined || dialect === 'mew/v0.4' ? readJoin(text.text()) : undefined;
    if (join === undefined) return false;
    const refusal = options.checkJoin?.(join);
    if (refusal === undefined) {
      dialect = 'mew/v0.4';
      speak(createMewIds(caller.name, join.participantId));
      liveSpace.welcomeAgain(following, caller);
    } else answer({ status: 'refused', refusal }, undefined);
    return true;
  }

  function take(text: ReceivedText): void {
    if (isFirst && joins(text)) return;
    const { size } = text;
    const started = clock();
    reader.begin(size);
    const received = receive(
      caller,
      text.text(),
      { now: started, limits, queue, translate, newId: randomUUID, spoken: dialect },
      (outcome, known) => {
        reader.end(size);
        if (known.understood) dialect ??= known.dialect;
        else countBadMessage();
        shown = known.dialect;
        tallies[outcome.status].add();
        if (outcome.status === 'accepted') metrics.latency.observe((clock() - started) / 1000);
        else answer(outcome, known.id);
        const { parts } = outcome;
        // Each proposal that a batch names has an outcome, whatever comes back on its own (O-35).
        if (parts !== undefined) tell('system.outcomes', { outcomes: showParts(parts) }, known.id);
        shown = undefined;
      },
    );
    if (received.understood) dialect ??= received.dialect;
  }

  function relay(frame: Buffer, isBinary: boolean): void {
    const allowed = caller.checkRightsAndRate();
    const refusal = allowed.ok ? liveSpace.streams.relay(frame, isBinary, following) : allowed.refusal;
    tallies[refusal === undefined ? 'accepted' : 'refused'].add();
    if (refusal !== undefined) answer({ status: 'refused', refusal }, undefined);
  }

  function countBadMessage(): void {
    if (caller.countBadMessage() === undefined) return;
    sink.end('too_many_errors');
    options.onThrownOut();
  }

  /** An accepted message comes back on its own; everything else is answered here. */
  function answer(outcome: SpaceMessageOutcome, id: string | undefined): void {
    sink.gather();
    if (outcome.status === 'refused') {
      const { refusal } = outcome;
      countRefusal(refusal);
      tell('system.error', errorPayload(refusal), id);
      if (refusal.code === 'rate_limited') reader.holdBack(refusal);
      if (refusal.code === 'unauthenticated') sink.end('credential_revoked');
      if (refusal.code === 'kicked') sink.end('kicked');
    } else if (outcome.status === 'duplicate') {
      for (const record of outcome.records) liveSpace.fanOut.repeat(following, record);
      reader.slowDown();
    }
  }

  /** Tells the sender something about one of its messages; nobody else, and nothing is recorded. */
  function tell(kind: string, payload: JsonObject, about: string | undefined): void {
    liveSpace.fanOut.tell(following, {
      protocol: PROTOCOL,
      id: randomUUID(),
      ts: new Date(clock()).toISOString(),
      from: GATEWAY,
      to: [following.name],
      kind,
      ...(about === undefined ? {} : { correlationId: about }),
      payload,
    });
  }

  /** Messages after the close are not accepted. */
  function offer(text: ReceivedText): void {
    if (sink.isEnded) return;
    if (text.bytes[text.start] === STREAM_MARK && readsStreams(following)) {
      const data = text.bytes.subarray(text.start, text.end);
      if (streamIn(data) !== undefined) return reader.run(() => relay(data, false), text.size);
    }
    reader.offer(text);
  }

  webSocket.on('message', (data: RawData, isBinary: boolean) => {
    if (!isBinary) return offer(receivedText(data));
    const isStream = Buffer.isBuffer(data) && readsStreams(following) && streamIn(data) !== undefined;
    if (isStream) reader.run(() => relay(data, true), data.length);
    else reader.offer(NO_TEXT);
  });
  options.takeTexts?.(offer);
  webSocket.on('ping', (data: Buffer) => {
    reader.run(() => {
      if (webSocket.readyState !== webSocket.OPEN) return;
      sink.gather();
      webSocket.pong(data);
      liveSpace.fanOut.checkUnread(following);
    });
  });
  webSocket.on('close', () => {
    queue.server.isOpen = false;
    liveSpace.exit(following, queue.server);
  });
  // The library closes the connection on its own; without a listener the error would end the process.
  webSocket.on('error', () => {});
  liveSpace.enter(following, caller, asked.after);
  return following;
}
