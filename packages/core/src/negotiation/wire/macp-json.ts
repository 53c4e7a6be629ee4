import { isTimestamp } from '../../envelope/timestamp.js';
import { utf8Length } from '../../hash/utf8.js';
import { describe } from '../../json/describe.js';
import { objectOf } from '../../json/fields.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { failure, type Refusal, type Result, success } from '../../refusal/refusal.js';
import type { SessionMetadata } from '../session/reading.js';
import type { Ack, Addressed } from './ack.js';
import { MAX_ID_LENGTH } from './identifiers.js';
import { type MacpEnvelope, parseMacpEnvelope } from './macp-envelope.js';
import { bytes } from './readers.js';
import { refuseField } from './refuse-field.js';

/** The first and the last moment that RFC 3339 can represent, in milliseconds since 1970. */
const FIRST = -62_167_219_200_000;
const LAST = 253_402_300_799_999;

/** Decodes the protobuf bytes of a payload, given in base64, by its mode and the type of its message. */
export type DecodePayload = (
  kind: Pick<MacpEnvelope, 'mode' | 'message_type'>,
  base64: string,
) => Result<JsonObject>;

/** A message read from its JSON form. */
export interface MacpJson {
  readonly envelope: MacpEnvelope;
  /**
   * The size of the payload in bytes: that of `payload_b64`, or of `payload` as JSON text, which is
   * slightly larger than on the wire.
   */
  readonly payloadBytes: number;
  /** Why `payload_b64` could not be decoded; the payload of the envelope is then empty. */
  readonly unreadable?: Refusal;
}

/**
 * Reads an envelope in its JSON form: as on the wire, but with `timestamp` (RFC 3339) in place of
 * `timestamp_unix_ms`, and the payload as an object in `payload` or as protobuf bytes in `payload_b64`.
 * Refuses with `INVALID_ENVELOPE`.
 */
export function readMacpJson(value: JsonValue, decode: DecodePayload): Result<MacpJson> {
  if (!isJsonObject(value)) return wrongField('', value, 'an object');
  const { timestamp, payload, payload_b64: encoded, timestamp_unix_ms: _other, ...plain } = value;
  const time = readTimestamp(timestamp);
  if (time === undefined) return wrongField('timestamp', timestamp, 'an RFC 3339 date and time');
  if (encoded !== undefined && payload !== undefined) {
    return wrongField('payload_b64', encoded, 'nothing besides payload');
  }
  const parsed = parseMacpEnvelope({ ...plain, timestamp_unix_ms: time, payload: payload ?? {} });
  if (!parsed.ok) return parsed;
  if (encoded === undefined) {
    return success({ envelope: parsed.value, payloadBytes: utf8Length(JSON.stringify(payload ?? {})) });
  }
  const base64 = bytes(encoded, ['payload_b64']);
  if (!base64.ok) return failure(refuseField('INVALID_ENVELOPE', base64.problem));
  return success(withDecoded(parsed.value, base64.value, decode));
}

/**
 * An accepted envelope in its JSON form. A timestamp that RFC 3339 cannot represent is moved to the
 * nearest one.
 */
export function writeMacpJson({ timestamp_unix_ms, payload, ...plain }: MacpEnvelope): JsonObject {
  const time = Math.min(Math.max(timestamp_unix_ms, FIRST), LAST);
  return { ...plain, timestamp: new Date(time).toISOString(), payload };
}

/** An answer in its JSON form: enum names as in protobuf's JSON. */
export function writeAckJson({ session_state, ...plain }: Ack): JsonObject {
  return { ...plain, session_state: `SESSION_STATE_${session_state}` };
}

/** A description of a session in its JSON form. */
export function writeSessionJson({ state, ...plain }: SessionMetadata): JsonObject {
  return { ...plain, state: `SESSION_STATE_${state}` };
}

/** The ids of a message in its JSON form, as far as present, for the answer to its sender. */
export function addressOf(value: JsonValue): Addressed {
  const message = objectOf(value);
  return { session_id: idIn(message['session_id']), message_id: idIn(message['message_id']) };
}

function idIn(found: JsonValue | undefined): string {
  return typeof found === 'string' ? found.slice(0, MAX_ID_LENGTH) : '';
}

function withDecoded(envelope: MacpEnvelope, base64: string, decode: DecodePayload): MacpJson {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  const payloadBytes = (base64.length / 4) * 3 - padding;
  const decoded = decode(envelope, base64);
  return decoded.ok
    ? { envelope: { ...envelope, payload: decoded.value }, payloadBytes }
    : { envelope, payloadBytes, unreadable: decoded.refusal };
}

/** Milliseconds since 1970; 0 for none. A leap second counts as the one after it. */
function readTimestamp(found: JsonValue | undefined): number | undefined {
  if (found === undefined || found === null) return 0;
  if (typeof found !== 'string' || !isTimestamp(found)) return undefined;
  const leap = /:60(?=[.Zz+-])/;
  return leap.test(found)
    ? Math.floor(Date.parse(found.replace(leap, ':59').replace(/\.\d+/, '').toUpperCase())) + 1_000
    : Date.parse(found.toUpperCase());
}

function wrongField(field: string, found: JsonValue | undefined, expected: string) {
  return failure(refuseField('INVALID_ENVELOPE', { field, found: describe(found), expected }));
}
