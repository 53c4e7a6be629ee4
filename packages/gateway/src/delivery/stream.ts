import { randomUUID } from 'node:crypto';
import { type Envelope, GATEWAY, isIdentifier, PROTOCOL, type Refusal, refuse } from '@proffer/core';
import { isJsonArray, type JsonObject, type JsonValue, quote, textOf, textsIn } from '@proffer/core/json';
import { FrameCount } from './frame-count.js';
import type { Following } from './subscriber.js';

/** Limits on the open streams of one participant, and of a whole space: a welcome lists them all. */
const MAX_OF_ONE = 16;
const MAX_OF_ALL = 128;

/** Maximum characters of JSON in a stream's description, and bytes of one data frame. */
const MAX_DESCRIPTION = 2_048;
const MAX_FRAME = 65_536;

/** The start of the ids of one gateway's streams: they are unique across gateways. */
export function newStreamPrefix(): string {
  return `stream-${randomUUID().slice(0, 8)}`;
}

const OWN_ID = /^stream-[0-9a-f]{8}-\d+$/i;

/** Whether a gateway may have opened, or may open, a stream with this id: whoever knows one can guess the next. */
export function isGatewayStream(id: string): boolean {
  return OWN_ID.test(id);
}

/** An open stream. */
export interface Stream {
  readonly id: string;
  /** Who opened it: it counts as one of theirs, whoever owns it now. */
  readonly opener: string;
  readonly owner: string;
  /** The participants who may write to it; the owner is one of them. */
  readonly writers: readonly string[];
  /** The recipients of the data; empty means everyone. */
  readonly target: readonly string[];
  /** The announcement of the stream, with its current owner and writers. */
  readonly opened: Envelope;
  readonly frames: FrameCount;
  /** The connection that it ends with; absent for a stream of another gateway. */
  readonly connection?: Following;
}

/** Opens a stream from a checked request. */
export function openStream(
  { id: request, from, payload }: Envelope,
  { id, messageId, ts }: { readonly id: string; readonly messageId: string; readonly ts: string },
): Stream {
  const opened: Envelope = {
    protocol: PROTOCOL,
    id: messageId,
    ts,
    from: GATEWAY,
    to: [from],
    kind: 'stream.open',
    correlationId: request,
    payload: { ...payload, stream_id: id, owner: from, authorized_writers: [from], encoding: 'text' },
  };
  return streamFrom(opened);
}

/** A stream from the message that opened it. */
export function streamFrom(opened: Envelope): Stream {
  const { stream_id: id, owner: named, target, authorized_writers: writers } = opened.payload;
  const owner = textOf(named);
  const [opener = owner] = opened.to ?? [];
  const who = { opener, owner, writers: writers === undefined ? [owner] : textsIn(writers) };
  return { id: textOf(id), ...who, target: textsIn(target), opened, frames: new FrameCount() };
}

/** A stream as a welcome lists it. */
export function describeStream({ opened: { ts, payload } }: Stream): JsonObject {
  const { encoding: _encoding, ...description } = payload;
  return { ...description, created: ts };
}

/** Why another stream cannot be opened, if so. */
export function checkNumber(streams: Iterable<Stream>, opener: string): Refusal | undefined {
  const all = [...streams];
  const own = all.filter((stream) => stream.opener === opener).length;
  if (own < MAX_OF_ONE && all.length < MAX_OF_ALL) return undefined;
  const sentence = `${quote(opener)} has ${own} streams open, and all participants together have ${all.length}.`;
  return refuse('too_many_streams', sentence, { limit: MAX_OF_ONE, space_limit: MAX_OF_ALL });
}

export function checkTarget(
  target: JsonValue | undefined,
  isConnected: (name: string) => boolean,
): Refusal | undefined {
  const field = 'payload.target';
  if (target === undefined || target === null) return undefined;
  if (!isJsonArray(target) || !target.every(isIdentifier))
    return refuse('invalid_field', `${field} is wrong.`, { field, expected: 'an array of names' });
  const targets = textsIn(target).filter((name) => !isConnected(name));
  if (targets.length === 0) return undefined;
  return refuse('target_not_found', `${targets.map(quote).join(', ')} is not connected.`, { targets });
}

export function checkDescription(payload: JsonObject): Refusal | undefined {
  const field = 'payload.direction';
  const { direction } = payload;
  // Clients of mew leave it out, although its text says that it is required.
  if (direction !== undefined && direction !== 'upload' && direction !== 'download')
    return refuse('invalid_field', `${field} is wrong.`, { field, expected: 'upload or download' });
  const size = JSON.stringify(payload).length;
  if (size <= MAX_DESCRIPTION) return undefined;
  const sentence = `The stream has a description of ${size} characters; the limit is ${MAX_DESCRIPTION}.`;
  return refuse('too_large', sentence, { field: 'payload', limit: MAX_DESCRIPTION });
}

export function checkFrame({ id }: Stream, frame: Buffer): Refusal | undefined {
  if (frame.length <= MAX_FRAME) return undefined;
  const sentence = `The data frame has ${frame.length} bytes; the limit is ${MAX_FRAME}.`;
  return refuse('too_large', sentence, { stream_id: id, limit: MAX_FRAME });
}

/** Only those write to a stream whom its owner lets write. */
export function checkWriter({ id, owner, writers }: Stream, from: string): Refusal | undefined {
  if (writers.includes(from)) return undefined;
  const sentence = `Stream ${quote(id)} belongs to ${quote(owner)}, who has not let you write to it.`;
  return refuse('unauthorized_stream_write', sentence, { stream_id: id, owner });
}

/** Only its owner closes a stream, and says who writes to it. */
export function checkOwner({ id, owner }: Stream, from: string): Refusal | undefined {
  if (owner === from) return undefined;
  return refuse('not_stream_owner', `Stream ${quote(id)} belongs to ${quote(owner)}.`, {
    stream_id: id,
    owner,
  });
}

export function refuseUnknown(id: JsonValue): Refusal {
  return refuse(
    'stream_not_found',
    `There is no open stream ${typeof id === 'string' ? quote(id) : 'of that name'}.`,
    { stream_id: id },
  );
}

/** A participant announces a stream by an id like those of the gateway. */
export function refuseTaken({ payload }: Envelope): Refusal {
  const found = textOf(payload['stream_id']);
  const field = 'payload.stream_id';
  const expected = 'an id that does not look like one of the gateway';
  const sentence = `Only the gateway opens streams with ids like ${quote(found)}.`;
  return refuse('invalid_field', sentence, { field, found, expected });
}

export function refuseElsewhere(kind: string): Refusal {
  const expected = 'a WebSocket in the dialect mew/v0.4, open while the message is sent';
  return refuse('invalid_field', 'Only mew clients can use streams.', {
    field: 'kind',
    found: kind,
    expected,
  });
}
