import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RefusalCode, type Result, success } from '@proffer/core';
import {
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '@proffer/core/json';
import {
  type Ack,
  addressOf,
  type MacpEnvelope,
  parseSignalPayload,
  readEnvelope,
  readMacpJson,
  refusedAck,
  SIGNAL,
  writeAckJson,
} from '@proffer/core/negotiation';
import { decodePayload, encodePayload } from '@proffer/wire';
import { bearerToken } from '../../../door/auth/index.js';
import type { Negotiations, SentMessage } from '../../../negotiation/index.js';
import { readBody } from '../body.js';
import { replyJson, setAdvice } from '../reply.js';
import type { Call } from '../router.js';
import { httpStatus } from '../status.js';

/** What must be known of a request to the negotiation plane. */
export interface MacpHttpOptions {
  readonly negotiations: Negotiations;
  /** For bodies: larger than any payload that is allowed, so that the sender of one is told so. */
  readonly limits: JsonLimits;
}

/** `POST /macp/envelope`: one envelope in its JSON form; the answer is an Ack, whatever became of it. */
export async function postEnvelope(
  { request, response, onAdmitted }: Call,
  { negotiations, limits }: MacpHttpOptions,
): Promise<void> {
  const admitted = await negotiations.admit(bearerToken(request.headers.authorization), 'http');
  if (admitted.ok) onAdmitted();
  const body = await readJsonBody(request, admitted.ok ? limits : strangersLimits(limits));
  const address = addressOf(body.ok ? body.value : null);
  if (!admitted.ok) return replyAck(response, refusedAck(address, admitted.refusal));
  const decode = (): Result<SentMessage> => (body.ok ? readSentJson(body.value) : body);
  replyAck(response, await admitted.value.send({ address, decode }));
}

/** Who is not known is read as far as it takes to name the message in the answer, and no further (I-7). */
export function strangersLimits(limits: JsonLimits): JsonLimits {
  return { ...limits, maxBytes: Math.min(65_536, limits.maxBytes) };
}

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

/** Answers with an Ack, and the status of its error. */
export function replyAck(response: ServerResponse, ack: Ack): void {
  const { error } = ack;
  if (error !== undefined) setAdvice(response, error);
  // An error has a code of the closed set: it was made of a refusal.
  const status = error === undefined ? 200 : httpStatus(error.code as RefusalCode);
  replyJson(response, status, writeAckJson(ack));
}

/** The JSON in the body of a request; nothing at all counts as an empty object. */
export async function readJsonBody(request: IncomingMessage, limits: JsonLimits): Promise<Result<JsonValue>> {
  const body = await readBody(request, limits.maxBytes);
  if ('refused' in body) return { ok: false, refusal: body.refused };
  return body.text === '' ? { ok: true, value: {} } : parseJson(body.text, limits);
}
