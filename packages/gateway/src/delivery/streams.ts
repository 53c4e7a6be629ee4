import { randomUUID } from 'node:crypto';
import { correlationIds, type Envelope, GATEWAY, PROTOCOL, type Refusal } from '@proffer/core';
import { type JsonObject, type JsonValue } from '@proffer/core/json';
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
  describeStream,
  openStream,
  refuseElsewhere,
  refuseUnknown,
  type Stream,
} from './stream.js';
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
  /** Handles `stream.request` or `stream.close`; leaves no record. */
  take(envelope: Envelope, from: Following | undefined): SpaceMessageOutcome;
  /**
   * Forwards a data frame, `#ID#…`, or returns why not. Subscribers that leave too much unread are
   * disconnected (I-7).
   */
  relay(frame: Buffer, isBinary: boolean, from: Following): Refusal | undefined;
  /** The open streams that a participant may see, as a welcome lists them. */
  seenBy(subscriber: Following): readonly JsonObject[];
  /** Closes the streams of a connection that ended. */
  leave(connection: Following): void;
  /** The streams of a participant that is connected to another gateway. */
  elsewhere(): RemoteStreams;
}

export interface StreamsOptions {
  readonly fanOut: Pick<FanOut, 'relay'>;
  readonly settings: Pick<SpaceSettings, 'visibility'>;
  readonly clock: () => number;
  readonly presence: Pick<Presence, 'isConnected'>;
  readonly peers?: Pick<SpacePeers, 'streams' | 'channel'> | undefined;
}

/** Whether a message is about opening or closing a stream. */
export function isStreamKind(kind: string): boolean {
  return kind === 'stream.request' || kind === 'stream.close';
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
  // Ids are unique across gateways.
  const prefix = `stream-${randomUUID().slice(0, 8)}`;
  let count = 0;
  const known = { get: (id: string) => streams.get(id), begin, end };
  const elsewhere = createRemoteStreams(known);
  const tellOthers = peers?.channel('streams', hear);

  function carryOut(envelope: Envelope, from: Following | undefined): Refusal | undefined {
    if (from === undefined || !readsStreams(from)) return refuseElsewhere(envelope.kind);
    return envelope.kind === 'stream.request' ? open(envelope, from) : close(envelope);
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
    begin(stream);
    share(stream.owner);
    return undefined;
  }

  function close(envelope: Envelope): Refusal | undefined {
    const { from, payload } = envelope;
    const named = [payload['stream_id'], ...correlationIds(envelope)];
    const stream = [...streams.values()].find(({ id, opened }) =>
      [id, opened.id, opened.correlationId].some((name) => named.includes(name)),
    );
    if (stream === undefined) return refuseUnknown(named.find((name) => name !== undefined) ?? null);
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
    share(stream.owner, { opened: stream.opened, closed: reason, sent: stream.frames.sent });
  }

  /** Tells the other gateways which streams of a participant are open here. */
  function share(owner: string, ended?: SharedStream): void {
    const own = [...streams.values()].filter((one) => one.owner === owner && one.connection !== undefined);
    // A later listing must say how many frames were sent by then: who learns of the stream from it counts from there.
    const open = own.map(({ opened, frames }) => ({
      opened,
      get sent() {
        return frames.sent;
      },
    }));
    peers?.streams(owner, ended === undefined ? open : [...open, ended]);
  }

  /** Another gateway forwards data, or asks to close a stream of this one. */
  function hear({ frame, isBinary, number, by, close: closing, reason }: JsonObject): void {
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
    const closed = typeof closing === 'string' ? streams.get(closing) : undefined;
    if (closed?.connection !== undefined) closeOwn(closed, reason ?? 'complete');
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
  function isSeenBy({ owner, target, opened }: Stream, subscriber: Following): boolean {
    const facts = { participant: owner, fingerprint: '' };
    const envelope = { ...opened, to: target };
    const said = { type: 'said', time: 0, principal: owner, envelope, facts } as const;
    return readsStreams(subscriber) && reaches(said, subscriber, settings);
  }

  function tell(stream: Stream, envelope: Envelope): void {
    fanOut.relay(frameEnvelope(READING, envelope), (subscriber) => isSeenBy(stream, subscriber));
  }

  function deliver(stream: Stream, frame: Buffer, from?: Following): void {
    const { target } = stream;
    fanOut.relay(
      frame,
      (subscriber) =>
        subscriber !== from &&
        (target.length === 0 || target.includes(subscriber.name)) &&
        isSeenBy(stream, subscriber),
    );
  }

  return {
    take(envelope, from) {
      const refusal = carryOut(envelope, from);
      return refusal === undefined ? { status: 'accepted', records: [] } : { status: 'refused', refusal };
    },
    relay(frame, isBinary, from) {
      const id = streamIn(frame) ?? '';
      const stream = streams.get(id);
      if (stream === undefined) return refuseUnknown(id);
      const refused = checkOwner(stream, from.name) ?? checkFrame(stream, frame);
      if (refused !== undefined) return refused;
      deliver(stream, frameData(frame, isBinary), from);
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
    elsewhere,
  };
}
