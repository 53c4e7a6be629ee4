import { quote } from '../../json/describe.js';
import { failure, type Result, success } from '../../refusal/refusal.js';
import type { MacpEnvelope, ReadEnvelope } from './macp-envelope.js';
import { isMessageType, parsePayload } from './payloads.js';
import { refuseField } from './refuse-field.js';

/** Reads the payload of an envelope by its type. Refuses an unknown type and a bad payload with `INVALID_ENVELOPE`. */
export function readEnvelope(envelope: MacpEnvelope): Result<ReadEnvelope> {
  const { message_type } = envelope;
  if (!isMessageType(message_type)) {
    return failure(
      refuseField('INVALID_ENVELOPE', {
        field: 'message_type',
        found: quote(message_type),
        expected: 'Proposal, CounterProposal, Accept, Reject, Withdraw or Commitment',
      }),
    );
  }
  const payload = parsePayload(message_type, envelope.payload);
  if (!payload.ok) return payload;
  // The reader of a type gives that type's payload; the compiler cannot follow the pair through.
  if (payload.value === envelope.payload) return success(envelope as ReadEnvelope);
  return success({
    macp_version: envelope.macp_version,
    mode: envelope.mode,
    message_type,
    message_id: envelope.message_id,
    session_id: envelope.session_id,
    sender: envelope.sender,
    timestamp_unix_ms: envelope.timestamp_unix_ms,
    payload: payload.value,
  } as ReadEnvelope);
}
