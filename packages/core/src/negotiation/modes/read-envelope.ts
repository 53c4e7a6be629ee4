import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import { type EnvelopeOf, type MacpEnvelope, withPayload } from '../wire/macp-envelope.js';
import { COMMON_READERS, type CommonPayloads, type RuntimePayloads, readPayload } from '../wire/payloads.js';
import type { Reader } from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import { MODE_READERS, type ModePayloads } from './registry.js';

/** The payload of each message that a client may send. */
export type ClientPayloads = CommonPayloads & ModePayloads;

/** The payload of every message. */
export type Payloads = ClientPayloads & RuntimePayloads;

/** An envelope whose payload has been read, one member for each of the message types. */
export type ReadEnvelope<Types extends keyof Payloads = keyof Payloads> = EnvelopeOf<Pick<Payloads, Types>>;

/** By type. A map: as the key of an object, each text that came in would have to be made a name first. */
const READERS: ReadonlyMap<string, Reader<JsonObject>> = new Map<string, Reader<JsonObject>>([
  ...Object.entries(COMMON_READERS),
  ...MODE_READERS,
]);

/** True for a message type that a payload is known for. */
export function isMessageType(type: string): type is keyof Payloads {
  return READERS.has(type);
}

/**
 * Checks the payload of a message and fills in what was left unset. Unknown fields are ignored.
 * Refuses with `INVALID_ENVELOPE`, naming the field, what was found and what was expected.
 */
export function parsePayload<Type extends keyof Payloads>(
  type: Type,
  payload: JsonObject,
): Result<Payloads[Type]> {
  // There is one for each type, which gives the payload of that type.
  return readPayload(READERS.get(type) as Reader<Payloads[Type]>, payload);
}

/** Reads the payload of an envelope by its type. Refuses an unknown type and a bad payload with `INVALID_ENVELOPE`. */
export function readEnvelope(envelope: MacpEnvelope): Result<ReadEnvelope> {
  const { message_type } = envelope;
  if (!isMessageType(message_type)) {
    return failure(
      refuseField('INVALID_ENVELOPE', {
        field: 'message_type',
        found: quote(message_type),
        expected: `${[...MODE_READERS.keys()].join(', ')} or Commitment`,
      }),
    );
  }
  const payload = parsePayload(message_type, envelope.payload);
  // The reader of a type gives that type's payload; the compiler cannot follow the pair through.
  return payload.ok ? success(withPayload(envelope, payload.value) as ReadEnvelope) : payload;
}
