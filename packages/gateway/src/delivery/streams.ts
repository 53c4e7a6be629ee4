import { randomUUID } from 'node:crypto';
import { correlationIds, type Envelope, GATEWAY, PROTOCOL, type Refusal } from '@proffer/core';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { reaches, type SpaceSettings } from '@proffer/core/operations';
import type { Presence, SpaceMessageOutcome } from '../operations/index.js';
import type { SharedStream, SpacePeers } from '../peers/index.js';
import type { FanOut } from './fan-out.js';
import { frameData } from './frame.js';
import { createRemoteStreams, interrupt, type RemoteStreams } from './remote-streams.js';
import {
  checkDescription,
  checkFrame,
  checkNumber,
  checkOwner,
  checkTarget,
  checkWriter,
  describeStream,
  isGatewayStream,
  newStreamPrefix,
  openStream,
  refuseElsewhere,
  refuseTaken,
  refuseUnknown,
  type Stream,
} from './stream.js';
import {
  changeStream,
  isChangeKind,
  namedStream,
  revokeWrite,
  type StreamChange,
  sayChange,
  streamAfter,
} from './stream-change.js';
import { type Following, frameEnvelope } from './subscriber.js';

const READING = { dialect: 'mew/v0.4', framing: 'websocket', records: false } as const;
/** The first byte of a data frame. */
export const STREAM_MARK = 0x23;

/**
 * Mew streams: data that goes straight to connected participants, at this gateway and the others, and is
 * neither recorded nor stored. A stream belongs to the connection that opened it, and ends with it. Nothing
 * is missing between its opening and its close: a listener that cannot get a part of it is told that it was
 * interrupted.
 */
export interface Streams {
  /**
   * Handles a message about a stream, which leaves no record. `undefined` for one between participants about
   * something that this gateway does not know, which is carried like any other message.
   *
   * @param from - its connection; if it has none, as a posted one, another connection of its sender
   */
  take(envelope: Envelope, from: Following | undefined): SpaceMessageOutcome | undefined;
  /**
   * Forwards a data frame, `#ID#…`, or returns why not. Subscribers that leave too much unread are
   * disconnected (I-7).
   */
  relay(frame: Buffer, isBinary: boolean, from: Following): Refusal | undefined;
  /** The open streams that a participant may see, as a welcome lists them. */
  seenBy(subscriber: Following): readonly JsonObject[];
  /** Closes the streams of a connection that ended. */
  leave(connection: Following): void;
  /** A participant is absent: it writes to nobody's stream any more. */
  gone(name: string): void;
  /** The streams of a participant that is connected to another gateway. */
  elsewhere(): RemoteStreams;
}

export interface StreamsOptions {
  readonly fanOut: Pick<FanOut, 'relay' | 'connectionsOf'>;
  readonly settings: Pick<SpaceSettings, 'visibility'>;
  readonly clock: () => number;
  readonly presence: Pick<Presence, 'isConnected'>;
  readonly peers?: Pick<SpacePeers, 'streams' | 'channel'> | undefined;
}

/** Whether a message is about a stream. */
export function isStreamKind(kind: string): boolean {
  return kind === 'stream.request' || kind === 'stream.open' || kind === 'stream.close' || isChangeKind(kind);
}

/** Whether a subscriber gets streams: others would take a data frame for a broken message. */
export function readsStreams({ reading }: Following): boolean {
  return reading.dialect === READING.dialect && reading.framing === READING.framing;
}

/** The id of the stream in a data frame; `undefined` for anything else. */
export function streamIn(frame: Buffer): string | undefined {
  if (frame[0] !== STREAM_MARK) return undefined;
  const end = frame.indexOf(STREAM_MARK, 1);
  return end <= 1 ? undefined : frame.toString('utf8', 1, end);
}

export function createStreams({ fanOut, settings, clock, presence, peers }: StreamsOptions): Streams {
  const streams = new Map<string, Stream>();
  const prefix = newStreamPrefix();
  let count = 0;
  const known = { get: (id: string) => streams.get(id), begin, end, replace, tell };
  const elsewhere = createRemoteStreams(known);
  const tellOthers = peers?.channel('streams', hear);

  function carryOut(envelope: Envelope, given: Following | undefined): Refusal | undefined {
    const { kind } = envelope;
    const from = given ?? connectionOf(envelope.from);
    if (from === undefined || !readsStreams(from)) return refuseElsewhere(kind);
    if (kind === 'stream.request') return open(envelope, from);
    // Whoever opens one for others would speak for its owner.
    if (kind === 'stream.open') return refuseTaken(envelope);
    return isChangeKind(kind) ? change(envelope) : close(envelope);
  }

  /** A connection of a participant here that reads streams. */
  function connectionOf(name: string): Following | undefined {
    return fanOut.connectionsOf(name).find(readsStreams);
  }

  function change(envelope: Envelope): Refusal | undefined {
    const stream = streams.get(namedStream(envelope));
    if (stream === undefined) return refuseUnknown(envelope.payload['stream_id'] ?? null);
    const changed = changeStream(stream, envelope, (name) => presence.isConnected(name));
    if (!changed.ok) return changed.refusal;
    // The gateway that the stream is open at changes it for everyone.
    if (stream.connection === undefined) {
      const { id, kind, from, payload } = envelope;
      tellOthers?.({ change: { id, kind, from, payload } });
    } else apply(stream, changed.value, envelope.id);
    return undefined;
  }

  /** Changes a stream that is open at this gateway, and says so. */
  function apply(stream: Stream, changed: StreamChange, about?: string): void {
    const ts = new Date(clock()).toISOString();
    const said = sayChange(changed, { id: randomUUID(), ts, about });
    // The stream ends with a connection of its owner, if there is one here.
    const own = changed.owner === stream.owner ? undefined : connectionOf(changed.owner);
    const before = stream.connection?.name ?? stream.owner;
    const next = { ...streamAfter(stream, changed), ...(own === undefined ? {} : { connection: own }) };
    replace(next);
    // To those who saw it before, too: they learn that it is no longer theirs.
    fanOut.relay(frameEnvelope(READING, said), (each) => isSeenBy(stream, each) || isSeenBy(next, each));
    const holder = next.connection?.name ?? before;
    share(holder, { opened: next.opened, changed: said });
    if (holder !== before) share(before);
  }

  function replace(stream: Stream): void {
    streams.set(stream.id, stream);
  }

  function open(request: Envelope, connection: Following): Refusal | undefined {
    const { from, payload } = request;
    const refused =
      checkNumber(streams.values(), from) ??
      checkDescription(payload) ??
      checkTarget(payload['target'], (name) => presence.isConnected(name));
    if (refused !== undefined) return refused;
    const ts = new Date(clock()).toISOString();
    const opened = openStream(request, { id: `${prefix}-${++count}`, messageId: randomUUID(), ts });
    const stream = { ...opened, connection };
    tell(stream, request);
    tellOthers?.({ request });
    begin(stream);
    share(connection.name);
    return undefined;
  }

  /** The stream that a close is about. */
  function closing(envelope: Envelope): Stream | undefined {
    const named = new Set([envelope.payload['stream_id'], ...correlationIds(envelope)]);
    return [...streams.values()].find(({ id, opened }) =>
      [id, opened.id, opened.correlationId].some((name) => name !== undefined && named.has(name)),
    );
  }

  function close(envelope: Envelope): Refusal | undefined {
    const { from, payload } = envelope;
    const stream = closing(envelope);
    if (stream === undefined) return refuseUnknown(payload['stream_id'] ?? null);
    const refused = checkOwner(stream, from);
    if (refused !== undefined) return refused;
    const reason = payload['reason'] ?? 'complete';
    // The owner's gateway closes the stream for everyone.
    if (stream.connection === undefined) tellOthers?.({ close: stream.id, reason });
    else closeOwn(stream, reason);
    return undefined;
  }

  function closeOwn(stream: Stream, reason: JsonValue): void {
    end(stream, reason);
    const holder = stream.connection?.name ?? stream.owner;
    share(holder, { opened: stream.opened, closed: reason, sent: stream.frames.sent });
  }

  /** Tells the other gateways which streams are open on connections of a participant here, and what has just happened. */
  function share(holder: string, news?: SharedStream): void {
    const own = [...streams.values()].filter((one) => one.connection?.name === holder);
    // A later listing must say how many frames were sent by then: who learns of the stream from it counts from there.
    const open = own.map(({ opened, frames }) => ({
      opened,
      get sent() {
        return frames.sent;
      },
    }));
    peers?.streams(holder, news === undefined ? open : [...open, news]);
  }

  /** Another gateway forwards data or a request, or asks to close or change a stream of this one. */
  function hear({
    frame,
    isBinary,
    number,
    by,
    close: closed,
    reason,
    request,
    change: asked,
  }: JsonObject): void {
    if (isJsonObject(request)) tellRequest(request as Envelope);
    if (isJsonObject(asked)) {
      const changing = asked as Pick<Envelope, 'id' | 'kind' | 'from' | 'payload'>;
      const stream = streams.get(namedStream(changing));
      const changed = stream && changeStream(stream, changing, (name) => presence.isConnected(name));
      if (stream?.connection !== undefined && changed?.ok === true) apply(stream, changed.value, changing.id);
    }
    if (typeof frame === 'string') {
      const data = Buffer.from(frame, 'base64');
      const stream = streams.get(streamIn(data) ?? '');
      // Earlier versions do not count frames.
      const isCounted = typeof number === 'number' && typeof by === 'string';
      const arrived = isCounted ? stream?.frames.hear(by, number) : 'next';
      if (stream === undefined || arrived === 'late') return;
      if (arrived === 'missed') interrupt(stream, known);
      deliver(stream, frameData(data, isBinary === true));
    }
    const over = typeof closed === 'string' ? streams.get(closed) : undefined;
    if (over?.connection !== undefined) closeOwn(over, reason ?? 'complete');
  }

  /** Whoever will see a stream sees the request for it. */
  function tellRequest(request: Envelope): void {
    tell(openStream(request, { id: '', messageId: request.id, ts: request.ts }), request);
  }

  function begin(stream: Stream): void {
    streams.set(stream.id, stream);
    tell(stream, stream.opened);
  }

  function end(stream: Stream, reason: JsonValue): void {
    const { id, owner, opened } = stream;
    const ts = new Date(clock()).toISOString();
    const payload = { stream_id: id, reason };
    const about = { to: [owner], kind: 'stream.close', correlationId: opened.id, payload };
    tell(stream, { protocol: PROTOCOL, id: randomUUID(), ts, from: GATEWAY, ...about });
    streams.delete(id);
  }

  /** A stream is visible to those who would see a message from its owner to its target (O-21). */
  function isSeenBy({ owner, writers, target, opened }: Stream, subscriber: Following): boolean {
    if (!readsStreams(subscriber)) return false;
    if (writers.includes(subscriber.name)) return true;
    const facts = { participant: owner, fingerprint: '' };
    const envelope = { ...opened, to: target };
    const said = { type: 'said', time: 0, principal: owner, envelope, facts } as const;
    return reaches(said, subscriber, settings);
  }

  function tell(stream: Stream, envelope: Envelope): void {
    fanOut.relay(frameEnvelope(READING, envelope), (subscriber) => isSeenBy(stream, subscriber));
  }

  /** Also to whoever wrote it, as mew clients expect: what comes back was forwarded. */
  function deliver(stream: Stream, frame: Buffer): void {
    const { target } = stream;
    fanOut.relay(
      frame,
      (subscriber) =>
        (target.length === 0 || target.includes(subscriber.name)) && isSeenBy(stream, subscriber),
    );
  }

  return {
    take(envelope, from) {
      const { kind, payload } = envelope;
      const isOurs = payload['stream_id'] !== undefined || closing(envelope) !== undefined;
      if (kind === 'stream.open' && !isGatewayStream(namedStream(envelope))) return undefined;
      if (kind === 'stream.close' && !isOurs) return undefined;
      const refusal = carryOut(envelope, from);
      return refusal === undefined ? { status: 'accepted', records: [] } : { status: 'refused', refusal };
    },
    relay(frame, isBinary, from) {
      const id = streamIn(frame) ?? '';
      const stream = streams.get(id);
      if (stream === undefined) return refuseUnknown(id);
      const refused = checkWriter(stream, from.name) ?? checkFrame(stream, frame);
      if (refused !== undefined) return refused;
      deliver(stream, frameData(frame, isBinary));
      const number = ++stream.frames.sent;
      tellOthers?.({ frame: frame.toString('base64'), isBinary, number, by: prefix });
      return undefined;
    },
    seenBy: (subscriber) =>
      [...streams.values()].filter((stream) => isSeenBy(stream, subscriber)).map(describeStream),
    leave(connection) {
      for (const stream of streams.values())
        if (stream.connection === connection) closeOwn(stream, 'owner_left');
    },
    gone(name) {
      for (const stream of streams.values())
        if (stream.connection !== undefined && stream.owner !== name && stream.writers.includes(name))
          apply(stream, revokeWrite(stream, name, 'disconnected'));
    },
    elsewhere,
  };
}
