import { type Result, success } from '@proffer/core';
import { isJsonObject, type JsonLimits, type JsonObject, type JsonValue } from '@proffer/core/json';
import {
  type MacpEnvelope,
  parseSignalPayload,
  readEnvelope,
  readMacpJson,
  SIGNAL,
  writeMacpJson,
  writeSessionJson,
} from '@proffer/core/negotiation';
import { decodePayload, encodePayload } from '@proffer/wire';
import type { AcceptedRecord, SentMessage, SessionLifecycleEvent } from './runtime.js';

/** What is no larger than this as text is within any limit that there can be, in bytes. */
const SMALL = 1_000;

/**
 * An envelope in its JSON form as the runtime takes it. Refuses what has not even the form of one. A payload has as
 * many bytes as it would have had on the wire, so that one limit means the same on every way (N-3).
 */
export function readSentJson(value: JsonValue): Result<SentMessage> {
  const read = readMacpJson(value, (kind, base64) => decodePayload(kind, Buffer.from(base64, 'base64')));
  const isEncoded = isJsonObject(value) && value['payload_b64'] !== undefined;
  if (!read.ok || isEncoded || read.value.payloadBytes <= SMALL) return read;
  const { envelope } = read.value;
  const payload = readPayload(envelope);
  if (!payload.ok) return read;
  return success({ ...read.value, payloadBytes: encodePayload(envelope, payload.value).length });
}

function readPayload(envelope: MacpEnvelope): Result<JsonObject> {
  if (envelope.message_type === SIGNAL) return parseSignalPayload(envelope.payload);
  const read = readEnvelope(envelope);
  return read.ok ? success(read.value.payload) : read;
}

/** A payload that is somewhat too large must still arrive, in base64 and in its envelope, to be refused as such. */
export function macpLimits(limits: JsonLimits, maxPayload: number): JsonLimits {
  return { ...limits, maxBytes: 2 * maxPayload + 65_536 };
}

/** An accepted envelope with its place in the session. */
export function writeAccepted({ version, time, envelope }: AcceptedRecord): JsonObject {
  return { sequence: version, accepted_at_unix_ms: time, envelope: writeMacpJson(envelope) };
}

/** What happened to a session, names of enums as protobuf's JSON has them. */
export function writeLifecycle({ event_type, session, ...plain }: SessionLifecycleEvent): JsonObject {
  return { ...plain, event_type: `EVENT_TYPE_${event_type}`, session: writeSessionJson(session) };
}
