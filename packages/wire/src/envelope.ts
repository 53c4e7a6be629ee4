import type { DescMessage } from '@bufbuild/protobuf';
import { type Refusal, type Result, success } from '@proffer/core';
import { type JsonObject } from '@proffer/core/json';
import { type MacpEnvelope, opaqueContent, opaquePayloadFrom } from '@proffer/core/negotiation';
import { refuseBytes } from './codec.js';
import {
  CommitmentPayloadSchema,
  ProgressPayloadSchema,
  SessionCancelPayloadSchema,
  SessionResumePayloadSchema,
  SessionStartPayloadSchema,
  SessionSuspendPayloadSchema,
  SignalPayloadSchema,
} from './gen/macp/v1/payloads_pb.js';
import type { WireEnvelope } from './json-codec/json-codec.js';
import { type MessagePlan, planOf } from './json-codec/plan.js';
import { readTwin } from './json-codec/read.js';
import { writeTwin } from './json-codec/write.js';
import { MODES } from './modes/registry.js';

/** Payloads that are the same in every mode. */
const COMMON = plans(
  Object.entries({
    SessionStart: SessionStartPayloadSchema,
    Commitment: CommitmentPayloadSchema,
    SessionCancel: SessionCancelPayloadSchema,
    SessionSuspend: SessionSuspendPayloadSchema,
    SessionResume: SessionResumePayloadSchema,
    Signal: SignalPayloadSchema,
    Progress: ProgressPayloadSchema,
  }),
);

/** Payloads specific to a mode, by mode. */
const OF_MODES = new Map(Array.from(MODES, ([mode, { payloads }]) => [mode, plans(payloads)]));

function plans(schemas: Iterable<readonly [string, DescMessage]>): ReadonlyMap<string, MessagePlan> {
  return new Map(Array.from(schemas, ([type, schema]) => [type, planOf(schema)]));
}

type Kind = Pick<MacpEnvelope, 'mode' | 'message_type'>;

function planFor({ mode, message_type }: Kind): MessagePlan | undefined {
  return COMMON.get(message_type) ?? OF_MODES.get(mode)?.get(message_type);
}

/** A decoded envelope, with its payload as JSON. */
export interface DecodedEnvelope {
  /** The payload is `{}` if it could not be read, and for unknown types. */
  readonly envelope: MacpEnvelope;
  /** The payload's size in bytes. */
  readonly payloadBytes: number;
  /** Why the payload could not be read: `INVALID_ENVELOPE`, naming the field. */
  readonly unreadable?: Refusal;
}

/** Decodes an envelope's payload. Does not check what the values mean. */
export function decodeEnvelope(wire: WireEnvelope): DecodedEnvelope {
  const payload = decodePayload(wire, wire.payload);
  const payloadBytes = wire.payload.length;
  if (payload.ok) return { envelope: withPayload(wire, payload.value), payloadBytes };
  return { envelope: withPayload(wire, {}), payloadBytes, unreadable: payload.refusal };
}

/** Copied field by field: a copy in which one field changes its type costs several times as much. */
function withPayload<Payload>(envelope: Omit<WireEnvelope, 'payload'>, payload: Payload) {
  const { macp_version, mode, message_type, message_id, session_id, sender, timestamp_unix_ms } = envelope;
  return {
    macp_version,
    mode,
    message_type,
    message_id,
    session_id,
    sender,
    timestamp_unix_ms,
    payload,
  };
}

/**
 * A message's payload as JSON. Refuses invalid bytes with `INVALID_ENVELOPE`, naming the field.
 * Payloads of unknown types are not read: the result is `{}`. Those of other modes are not interpreted (N-31).
 */
export function decodePayload(kind: Kind, bytes: Uint8Array): Result<JsonObject> {
  const plan = planFor(kind);
  if (plan === undefined) return success(isOpaque(kind) ? readOpaque(bytes) : {});
  const reading = readTwin(plan, bytes);
  if (reading.problem === undefined) return success(reading.value as JsonObject);
  const { problem } = reading;
  const field = problem.field === '' ? 'payload' : `payload.${problem.field}`;
  return { ok: false, refusal: refuseBytes({ ...problem, field }) };
}

/** Encodes a payload that was read here or is our own; empty for types without a payload. */
export function encodePayload(kind: Kind, payload: JsonObject): Uint8Array {
  const plan = planFor(kind);
  if (plan !== undefined) return writeTwin(plan, payload);
  return isOpaque(kind) ? writeOpaque(payload) : NOTHING;
}

const NOTHING = new Uint8Array();

/** Whether nothing is known about a payload because its mode is not one of ours. */
function isOpaque({ mode }: Kind): boolean {
  return mode !== '' && !OF_MODES.has(mode);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readOpaque(bytes: Uint8Array): JsonObject {
  return opaquePayloadFrom(textIn(bytes), () => Buffer.from(bytes).toString('base64'));
}

function textIn(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

function writeOpaque(payload: JsonObject): Uint8Array {
  const content = opaqueContent(payload);
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.base64, 'base64');
}

/** Encodes an envelope for the wire. */
export function encodeEnvelope(envelope: MacpEnvelope): WireEnvelope {
  return withPayload(envelope, encodePayload(envelope, envelope.payload));
}
