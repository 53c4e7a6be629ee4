import { type Result, success } from '@proffer/core';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import {
  isAmbient,
  type MacpEnvelope,
  parseAmbientPayload,
  readEnvelope,
  readMacpJson,
} from '@proffer/core/negotiation';
import { decodePayload, encodePayload } from '@proffer/wire';
import type { SentMessage } from './runtime.js';

/** Text up to this size is within every possible limit, in bytes. */
const SMALL = 1_000;

/**
 * An envelope in its JSON form, for the runtime. Refuses what is not even one. The payload size is that of
 * the wire format, so that one limit means the same on every path (N-3).
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
  if (isAmbient(envelope.message_type)) return parseAmbientPayload(envelope);
  const read = readEnvelope(envelope);
  return read.ok ? success(read.value.payload) : read;
}
