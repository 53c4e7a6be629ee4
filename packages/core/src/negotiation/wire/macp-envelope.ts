import type { JsonObject, JsonValue } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { id } from './identifiers.js';
import { anyObject, filledText, messageOf, text, wholeNumber } from './readers.js';
import { refuseField } from './refuse-field.js';

/** The protocol version that every envelope names (N-3). */
export const MACP_VERSION = '1.0';

/**
 * A MACP message with its payload as JSON: field names as on the wire, bytes in base64, 64-bit
 * integers as safe integers. `payload` is as sent until `readPayload` has parsed it.
 */
export type MacpEnvelope<Type extends string = string, Payload extends JsonObject = JsonObject> = {
  readonly macp_version: string;
  readonly mode: string;
  readonly message_type: Type;
  /** Not blank, at most 256 characters, unique in the session (N-6). */
  readonly message_id: string;
  readonly session_id: string;
  readonly sender: string;
  /** Milliseconds since 1970; the sender's claim. Nothing is decided by it. */
  readonly timestamp_unix_ms: number;
  readonly payload: Payload;
};

/** An envelope with its payload parsed, one member for each of some message types. */
export type EnvelopeOf<Payloads> = {
  readonly [Type in keyof Payloads & string]: Payloads[Type] extends JsonObject
    ? MacpEnvelope<Type, Payloads[Type]>
    : never;
}[keyof Payloads & string];

/** The same envelope with its parsed payload. */
export function withPayload<Payload extends JsonObject>(
  envelope: MacpEnvelope,
  payload: Payload,
): MacpEnvelope<string, Payload> {
  if (payload === envelope.payload) return envelope as MacpEnvelope<string, Payload>;
  return {
    macp_version: envelope.macp_version,
    mode: envelope.mode,
    message_type: envelope.message_type,
    message_id: envelope.message_id,
    session_id: envelope.session_id,
    sender: envelope.sender,
    timestamp_unix_ms: envelope.timestamp_unix_ms,
    payload,
  };
}

const envelope = messageOf<MacpEnvelope>({
  macp_version: text,
  mode: text,
  message_type: filledText,
  message_id: id,
  session_id: text,
  sender: text,
  timestamp_unix_ms: wholeNumber(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  payload: anyObject,
});

/**
 * Checks the form of an envelope from an untrusted peer. Refuses with `INVALID_ENVELOPE`. Does not
 * check what the values mean: the session does that, with specific codes.
 */
export function parseMacpEnvelope(value: JsonValue): Result<MacpEnvelope> {
  const reading = envelope(value, []);
  return reading.ok ? success(reading.value) : failure(refuseField('INVALID_ENVELOPE', reading.problem));
}
