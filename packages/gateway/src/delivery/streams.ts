import { randomUUID } from 'node:crypto';
import {
  correlationIds,
  type Envelope,
  GATEWAY,
  isIdentifier,
  PROTOCOL,
  type Refusal,
  refuse,
} from '@proffer/core';
import { isJsonArray, type JsonObject, type JsonValue, quote, textsIn } from '@proffer/core/json';
import { reaches, type SpaceSettings } from '@proffer/core/operations';
import type { Presence, Submission } from '../operations/index.js';
import type { FanOut } from './fan-out.js';
import { frameData } from './frame.js';
import { type Following, frameEnvelope } from './subscriber.js';

/** Limits on the open streams of one participant, and of a whole space: a welcome lists them all. */
const MOST_OF_ONE = 16;
const MOST_OF_ALL = 128;

/** Characters of JSON with which a stream may be described, and bytes of one data frame. */
const MOST_DESCRIPTION = 2_048;
const MOST_FRAME = 65_536;

const READING = { dialect: 'mew/v0.4', framing: 'websocket', records: false } as const;
const HASH = 0x23;

/**
 * The streams of mew: data that goes straight to those who are connected here, and is neither recorded nor kept for
 * anybody. A stream belongs to the connection that opened it, and ends with it.
 */
export interface Streams {
  /** Carries out `stream.request` or `stream.close`; it leaves no record. */
  take(envelope: Envelope, from: Following | undefined): Submission;
  /** Passes on a data frame, `#ID#…`, or says why not. Who leaves too much unread is sent away (I-7). */
  relay(frame: Buffer, isBinary: boolean, from: Following): Refusal | undefined;
  /** The open streams that somebody may know of, as a welcome lists them. */
  seenBy(subscriber: Following): readonly JsonObject[];
  /** Closes those of a connection that ended. */
  leave(owner: Following): void;
}

export interface StreamsOptions {
  readonly fanOut: Pick<FanOut, 'relay'>;
  readonly settings: Pick<SpaceSettings, 'visibility'>;
  readonly clock: () => number;
  readonly presence: Pick<Presence, 'isConnected'>;
}

interface Stream {
  readonly id: string;
  readonly owner: Following;
  /** Who gets the data; nobody in particular means everybody. */
  readonly target: readonly string[];
  readonly opened: Envelope;
  readonly description: JsonObject;
}

/** Whether a message is about opening or closing a stream. */
export function isStreamKind(kind: string): boolean {
  return kind === 'stream.request' || kind === 'stream.close';
}

/** Whether somebody gets streams: others would take a data frame for a broken message. */
export function readsStreams({ reading }: Following): boolean {
  return reading.dialect === READING.dialect && reading.framing === READING.framing;
}

/** The id of the stream in a data frame; nothing for anything else. */
export function streamIn(frame: Buffer): string | undefined {
  if (frame[0] !== HASH) return undefined;
  const end = frame.indexOf(HASH, 1);
  return end <= 1 ? undefined : frame.toString('utf8', 1, end);
}

export function createStreams({ fanOut, settings, clock, presence }: StreamsOptions): Streams {
  const streams = new Map<string, Stream>();
  let count = 0;

  function carryOut(envelope: Envelope, from: Following | undefined): Refusal | undefined {
    if (from === undefined || !readsStreams(from)) return refuseElsewhere(envelope.kind);
    return envelope.kind === 'stream.request' ? open(envelope, from) : close(envelope);
  }

  function open({ id: request, from, payload }: Envelope, owner: Following): Refusal | undefined {
    const refused = checkNumber(from) ?? checkDescription(payload) ?? checkTarget(payload['target']);
    if (refused !== undefined) return refused;
    const id = `stream-${++count}`;
    const target = textsIn(payload['target']);
    const known = { ...payload, stream_id: id, owner: from, authorized_writers: [from] };
    const opened = say('stream.open', request, from, { ...known, encoding: 'text' });
    const description = { ...known, created: opened.ts };
    const stream = { id, owner, target, opened, description };
    streams.set(id, stream);
    tell(stream, opened);
    return undefined;
  }

  function close(envelope: Envelope): Refusal | undefined {
    const { from, payload } = envelope;
    const named = [payload['stream_id'], ...correlationIds(envelope)];
    const stream = [...streams.values()].find(({ id, opened }) =>
      [id, opened.id, opened.correlationId].some((name) => named.includes(name)),
    );
    if (stream === undefined) return refuseUnknown(named.find((name) => name !== undefined) ?? null);
    if (stream.owner.name !== from) return refuseOther(stream);
    end(stream, payload['reason'] ?? 'complete');
    return undefined;
  }

  function end(stream: Stream, reason: JsonValue): void {
    const { id, owner, opened } = stream;
    tell(stream, say('stream.close', opened.id, owner.name, { stream_id: id, reason }));
    streams.delete(id);
  }

  function checkNumber(owner: string): Refusal | undefined {
    const own = [...streams.values()].filter((stream) => stream.owner.name === owner).length;
    if (own < MOST_OF_ONE && streams.size < MOST_OF_ALL) return undefined;
    const sentence = `${quote(owner)} has ${own} streams open, and all participants together ${streams.size}.`;
    return refuse('too_many_streams', sentence, { limit: MOST_OF_ONE, space_limit: MOST_OF_ALL });
  }

  function checkTarget(target: JsonValue | undefined): Refusal | undefined {
    const field = 'payload.target';
    if (target === undefined || target === null) return undefined;
    if (!isJsonArray(target) || !target.every(isIdentifier))
      return refuse('invalid_field', `${field} is wrong.`, { field, expected: 'an array of names' });
    const targets = textsIn(target).filter((name) => !presence.isConnected(name));
    if (targets.length === 0) return undefined;
    return refuse('target_not_found', `${targets.map(quote).join(', ')} is not here.`, { targets });
  }

  /** Who may know of a stream is who would see a message of its owner to its target (O-21). */
  function isSeenBy({ owner, target, opened }: Stream, subscriber: Following): boolean {
    const facts = { participant: owner.name, fingerprint: '' };
    const envelope = { ...opened, to: target };
    const said = { type: 'said', time: 0, principal: owner.name, envelope, facts } as const;
    return readsStreams(subscriber) && reaches(said, subscriber, settings);
  }

  function tell(stream: Stream, envelope: Envelope): void {
    fanOut.relay(frameEnvelope(READING, envelope), (subscriber) => isSeenBy(stream, subscriber));
  }

  function say(kind: string, correlationId: string, to: string, payload: JsonObject): Envelope {
    const ts = new Date(clock()).toISOString();
    return {
      protocol: PROTOCOL,
      id: randomUUID(),
      ts,
      from: GATEWAY,
      to: [to],
      kind,
      correlationId,
      payload,
    };
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
      if (stream.owner.name !== from.name) return refuseOther(stream);
      if (frame.length > MOST_FRAME) {
        const sentence = `The data frame has ${frame.length} bytes; the limit is ${MOST_FRAME}.`;
        return refuse('too_large', sentence, { stream_id: id, limit: MOST_FRAME });
      }
      const { target } = stream;
      fanOut.relay(
        frameData(frame, isBinary),
        (subscriber) =>
          subscriber !== from &&
          (target.length === 0 || target.includes(subscriber.name)) &&
          isSeenBy(stream, subscriber),
      );
      return undefined;
    },
    seenBy: (subscriber) =>
      [...streams.values()]
        .filter((stream) => isSeenBy(stream, subscriber))
        .map(({ description }) => description),
    leave(owner) {
      for (const stream of streams.values()) if (stream.owner === owner) end(stream, 'owner_left');
    },
  };
}

function checkDescription(payload: JsonObject): Refusal | undefined {
  const field = 'payload.direction';
  const { direction } = payload;
  if (direction !== 'upload' && direction !== 'download')
    return refuse('invalid_field', `${field} is wrong.`, { field, expected: 'upload or download' });
  const size = JSON.stringify(payload).length;
  if (size <= MOST_DESCRIPTION) return undefined;
  const sentence = `The stream has a description of ${size} characters; the limit is ${MOST_DESCRIPTION}.`;
  return refuse('too_large', sentence, { field: 'payload', limit: MOST_DESCRIPTION });
}

function refuseUnknown(id: JsonValue): Refusal {
  return refuse(
    'stream_not_found',
    `There is no open stream ${typeof id === 'string' ? quote(id) : 'of that name'}.`,
    { stream_id: id },
  );
}

function refuseOther({ id, owner: { name: owner } }: Stream): Refusal {
  return refuse('not_stream_owner', `${quote(id)} is a stream of ${quote(owner)}.`, {
    stream_id: id,
    owner,
  });
}

function refuseElsewhere(kind: string): Refusal {
  const expected = 'a WebSocket in the dialect mew/v0.4';
  return refuse('invalid_field', 'Only mew clients can use streams.', {
    field: 'kind',
    found: kind,
    expected,
  });
}
