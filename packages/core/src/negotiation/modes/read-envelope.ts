import { quote } from '../../json/describe.js';
import type { JsonObject } from '../../json/json.js';
import { failure, type Refusal, type Result, success } from '../../refusal/refusal.js';
import { type MacpEnvelope, withPayload } from '../wire/macp-envelope.js';
import { opaquePayload } from '../wire/opaque-payload.js';
import { COMMON_READERS, readPayload } from '../wire/payloads.js';
import type { FieldReader } from '../wire/readers.js';
import { refuseField } from '../wire/refuse-field.js';
import type { ServedMode } from './create-modes.js';
import { isExtensionName } from './declared/name.js';
import { MODES } from './registry.js';

const SESSION_READERS: ReadonlyMap<string, FieldReader<JsonObject>> = new Map(
  Object.entries<FieldReader<JsonObject>>(COMMON_READERS),
);

/**
 * Parses the payload of a client's message in a session of this mode, and fills in unset fields.
 * Unknown fields are ignored. Refuses an unknown type and an invalid payload with `INVALID_ENVELOPE`.
 */
export function readMessage(mode: ServedMode, envelope: MacpEnvelope): Result<MacpEnvelope> {
  const reader = mode.messageReaders.get(envelope.message_type);
  return reader === undefined ? failure(refuseType(envelope.message_type, mode)) : readWith(reader, envelope);
}

/**
 * Reads any accepted message, including the start and the runtime's own, by the mode that the
 * envelope names. In a registered mode, payloads are not interpreted.
 */
export function readEnvelope(envelope: MacpEnvelope): Result<MacpEnvelope> {
  const { mode: name, message_type } = envelope;
  const common = SESSION_READERS.get(message_type);
  if (common !== undefined) return readWith(common, envelope);
  const mode = MODES.get(name);
  if (mode !== undefined) return readMessage(mode, envelope);
  if (isExtensionName(name)) return readWith(opaquePayload, envelope);
  const expected = [...MODES.keys()].join(' or ');
  return failure(refuseField('INVALID_ENVELOPE', { field: 'mode', found: quote(name), expected }));
}

function readWith(reader: FieldReader<JsonObject>, envelope: MacpEnvelope): Result<MacpEnvelope> {
  const payload = readPayload(reader, envelope.payload);
  return payload.ok ? success(withPayload(envelope, payload.value)) : payload;
}

function refuseType(type: string, { messageReaders }: ServedMode): Refusal {
  const isOfRuntime = SESSION_READERS.has(type) && type !== 'Commitment';
  return refuseField('INVALID_ENVELOPE', {
    field: 'message_type',
    found: isOfRuntime ? `${type}, which only the runtime writes` : quote(type),
    expected: isOfRuntime
      ? 'a call to CancelSession, SuspendSession or ResumeSession'
      : nameAll([...messageReaders.keys()]),
  });
}

function nameAll(types: readonly string[]): string {
  return types.length < 2 ? types.join() : `${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}
