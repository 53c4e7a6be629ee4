import type { ServerResponse } from 'node:http';
import type { Refusal } from '@proffer/core';
import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import {
  type Ack,
  type MacpErrorBody,
  macpError,
  type PolicyDescriptor,
  type SessionMetadata,
  writeAckJson,
  writeSessionJson,
} from '@proffer/core/negotiation';
import { httpStatus } from '../../problem.js';
import { replyJson, setAdvice } from '../reply.js';

/**
 * Answers in the JSON mapping that RFC-MACP-0001, section 10, gives the messages of the wire: `details` are
 * bytes, and so base64; the rules of a policy are an object.
 */

/** The fields of responses that have another form in memory. */
const FORMS: Readonly<Record<string, (value: never) => JsonValue>> = {
  ack: writeAck,
  metadata: writeSession,
  policy_descriptor: writePolicy,
  descriptors: (all: readonly PolicyDescriptor[]) => all.map(writePolicy),
  recorded: writeWhatIf,
  candidate: writeWhatIf,
  entries: (all: readonly JsonObject[]) => all.map(writeResponse),
};

/** A response message. */
export function writeResponse(response: object): JsonObject {
  return Object.fromEntries(
    Object.entries(response).map(([name, value]) => [name, FORMS[name]?.(value as never) ?? value]),
  );
}

/** What the wire knows of a session. */
export function writeSession(session: SessionMetadata): JsonObject {
  const { intent: _intent, message_count: _count, ending: _ending, rules: _rules, ...onTheWire } = session;
  return writeSessionJson(onTheWire);
}

/** Answers with a refusal: its code also in a header, so that a client need not parse the body. */
export function replyError(response: ServerResponse, refusal: Refusal, sessionId = ''): void {
  const error = macpError({ session_id: sessionId, message_id: '' }, refusal);
  setAdvice(response, error);
  response.setHeader('macp-error-code', error.code);
  replyJson(response, httpStatus(refusal.code), { error: writeError(error) });
}

/** A refusal as `MACPError`. */
export function writeError({ details, ...plain }: MacpErrorBody): JsonObject {
  return { ...plain, details: Buffer.from(JSON.stringify(details)).toString('base64') };
}

/** A policy with its rules as an object. */
export function writePolicy({ rules, ...plain }: PolicyDescriptor): JsonObject {
  return { ...plain, rules: JSON.parse(rules) as JsonValue };
}

/** A request in which the rules of a policy are text, as on the wire. */
export function withRulesAsText(request: JsonValue): JsonValue {
  if (!isJsonObject(request)) return request;
  return Object.fromEntries(
    Object.entries(request).map(([field, value]) => [
      field,
      POLICIES.has(field) ? rulesAsText(value) : value,
    ]),
  );
}

function rulesAsText(policy: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(policy) || !isJsonObject(policy['rules'])) return policy;
  return { ...policy, rules: JSON.stringify(policy['rules']) };
}

/** The fields of requests that are policies. */
const POLICIES: ReadonlySet<string> = new Set(['policy_descriptor', 'candidate']);

/** What became of a session, or of one of its messages, with the names of enums as in protobuf's JSON. */
function writeWhatIf({ state, kind, ...plain }: WhatIfPart): JsonObject {
  const named = { ...plain, state: `SESSION_STATE_${state}` };
  return kind === undefined ? named : { ...named, kind: `KIND_${kind}` };
}

type WhatIfPart = JsonObject & { readonly state: string; readonly kind?: string };

function writeAck({ sequence: _sequence, error, ...plain }: Ack): JsonObject {
  const ack = writeAckJson(plain);
  return error === undefined ? ack : { ...ack, error: writeError(error) };
}
