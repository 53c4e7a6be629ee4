import type { ServerResponse } from 'node:http';
import { type RefusalCode, type Result, success } from '@proffer/core';
import { type JsonLimits, type JsonValue, parseJson } from '@proffer/core/json';
import { type Ack, addressOf, refusedAck, writeAckJson } from '@proffer/core/negotiation';
import { bearerToken, STRANGER_BYTES } from '../../../door/index.js';
import { loadSentJson, type Negotiations, type SentMessage } from '../../../negotiation/index.js';
import { httpStatus } from '../../problem.js';
import { readBody } from '../body.js';
import { replyJson, setAdvice } from '../reply.js';
import type { HttpCall } from '../router.js';

/** What a request about negotiations needs. */
export interface MacpHttpOptions {
  readonly negotiations: Negotiations;
  /** The limit for bodies: larger than any allowed payload, so that the sender gets a proper refusal. */
  readonly limits: JsonLimits;
}

/** `POST /macp/envelope`: one envelope in its JSON form; the answer is an Ack in every case. */
export async function postEnvelope(
  { request, response, onAdmitted }: HttpCall,
  { negotiations, limits }: MacpHttpOptions,
): Promise<void> {
  const admitted = await negotiations.admit(bearerToken(request.headers.authorization), 'http');
  if (admitted.ok) onAdmitted();
  const text = await readBody(request, admitted.ok ? limits.maxBytes : STRANGER_BYTES);
  const attempt = admitted.ok ? admitted.value.checkRightsAndRate() : admitted;
  const body = readJson(text, attempt.ok ? limits : { ...limits, maxBytes: STRANGER_BYTES });
  const address = addressOf(body.ok ? body.value : null);
  if (!attempt.ok) return replyAck(response, refusedAck(address, attempt.refusal));
  const { readSentJson } = await loadSentJson();
  const decode = (): Result<SentMessage> => (body.ok ? readSentJson(body.value) : body);
  replyAck(response, await attempt.value.send({ address, decode }));
}

/** Answers with an Ack, and the status of its error. */
export function replyAck(response: ServerResponse, ack: Ack): void {
  const { error } = ack;
  if (error !== undefined) setAdvice(response, error);
  // An error has one of the known codes: it was made from a refusal.
  const status = error === undefined ? 200 : httpStatus(error.code as RefusalCode);
  replyJson(response, status, writeAckJson(ack));
}

/** The JSON in the body of a request; an empty body counts as an empty object. */
export function readJson(body: Result<string>, limits: JsonLimits): Result<JsonValue> {
  if (!body.ok) return body;
  return body.value === '' ? success({}) : parseJson(body.value, limits);
}
