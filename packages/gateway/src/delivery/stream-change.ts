import {
  type Envelope,
  failure,
  GATEWAY,
  isIdentifier,
  PROTOCOL,
  type Result,
  refuse,
  success,
} from '@proffer/core';
import { type JsonObject, type JsonValue, quote, textOf } from '@proffer/core/json';
import { checkOwner, type Stream } from './stream.js';

/** A change of who owns a stream, or writes to it. */
export interface StreamChange {
  readonly owner: string;
  readonly writers: readonly string[];
  /** What everyone is told, without what every message has. */
  readonly kind: string;
  readonly payload: JsonObject;
}

/** The field with the other participant, by kind of the message. */
const OTHER: ReadonlyMap<string, string> = new Map([
  ['stream.grant-write', 'participant_id'],
  ['stream.revoke-write', 'participant_id'],
  ['stream.transfer-ownership', 'new_owner'],
]);

/** Whether a message is about who owns a stream, or writes to it. */
export function isChangeKind(kind: string): boolean {
  return OTHER.has(kind);
}

/** Decides such a message: only the owner of a stream changes it, and only for those who are there. */
export function changeStream(
  stream: Stream,
  { kind, from, payload }: Pick<Envelope, 'kind' | 'from' | 'payload'>,
  isConnected: (name: string) => boolean,
): Result<StreamChange> {
  const notOwner = checkOwner(stream, from);
  if (notOwner !== undefined) return failure(notOwner);
  const name = OTHER.get(kind) ?? '';
  const other = payload[name];
  const field = `payload.${name}`;
  if (!isIdentifier(other)) {
    const expected = 'the name of a participant';
    return failure(refuse('invalid_field', `${field} is wrong.`, { field, found: other ?? null, expected }));
  }
  if (kind === 'stream.revoke-write') {
    if (other === stream.owner) {
      const sentence = `${quote(other)} owns the stream, and its owner always writes to it.`;
      return failure(
        refuse('invalid_field', sentence, { field, found: other, expected: 'another participant' }),
      );
    }
    return success(revokeWrite(stream, other, payload['reason']));
  }
  if (!isConnected(other))
    return failure(
      refuse('participant_not_found', `${quote(other)} is not connected.`, { field, found: other }),
    );
  return success(
    kind === 'stream.grant-write'
      ? grantWrite(stream, other, payload['reason'])
      : transfer(stream, other, payload['reason']),
  );
}

function grantWrite(
  { id, owner, writers }: Stream,
  name: string,
  reason: JsonValue | undefined,
): StreamChange {
  const next = writers.includes(name) ? writers : [...writers, name];
  const payload = { stream_id: id, participant_id: name, authorized_writers: next, ...because(reason) };
  return { owner, writers: next, kind: 'stream.write-granted', payload };
}

/** Takes the right to write from a participant. */
export function revokeWrite(
  { id, owner, writers }: Stream,
  name: string,
  reason: JsonValue | undefined,
): StreamChange {
  const next = writers.filter((writer) => writer !== name);
  const payload = { stream_id: id, participant_id: name, authorized_writers: next, ...because(reason) };
  return { owner, writers: next, kind: 'stream.write-revoked', payload };
}

/** The previous owner no longer writes: whoever takes over decides who does. */
function transfer({ id, owner, writers }: Stream, name: string, reason: JsonValue | undefined): StreamChange {
  const others = writers.filter((writer) => writer !== owner && writer !== name);
  const next = name === owner ? writers : [name, ...others];
  const payload = {
    stream_id: id,
    previous_owner: owner,
    new_owner: name,
    authorized_writers: next,
    ...because(reason),
  };
  return { owner: name, writers: next, kind: 'stream.ownership-transferred', payload };
}

function because(reason: JsonValue | undefined): JsonObject {
  return typeof reason === 'string' ? { reason } : {};
}

/** A stream after a change, or after another gateway's description of it. */
export function streamAfter(
  stream: Stream,
  { owner, writers }: Pick<StreamChange, 'owner' | 'writers'>,
): Stream {
  const payload = { ...stream.opened.payload, owner, authorized_writers: writers };
  return { ...stream, owner, writers, opened: { ...stream.opened, payload } };
}

/** The message about a change. */
export function sayChange(
  { kind, payload }: Pick<StreamChange, 'kind' | 'payload'>,
  { id, ts, about }: { readonly id: string; readonly ts: string; readonly about?: string | undefined },
): Envelope {
  const said = { protocol: PROTOCOL, id, ts, from: GATEWAY, kind, payload } as const;
  return about === undefined ? said : { ...said, correlationId: about };
}

/** The stream that a change names. */
export function namedStream({ payload }: Pick<Envelope, 'payload'>): string {
  return textOf(payload['stream_id']);
}
