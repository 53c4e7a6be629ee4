import { type Refusal, type Result, refuse, success } from '@proffer/core';
import { parseMacpEnvelope } from '@proffer/core/negotiation';
import { decodeEnvelope, encodeEnvelope, RUNTIME_SERVICE, type WireEnvelope } from '@proffer/wire';
import type { AcceptedRecord, SentMessage } from '../../../negotiation/index.js';
import { frame, PREFIX } from '../call/index.js';

/** Decodes an envelope for the runtime. Refuses what is not even one. */
export function readSent(wire: WireEnvelope): Result<SentMessage> {
  const { envelope, payloadBytes, unreadable } = decodeEnvelope(wire);
  const parsed = parseMacpEnvelope(envelope);
  if (!parsed.ok) return parsed;
  return success(
    unreadable === undefined
      ? { envelope: parsed.value, payloadBytes }
      : { envelope: parsed.value, payloadBytes, unreadable },
  );
}

/** The refusal for a request without an envelope. */
export function refuseMissing(): Refusal {
  return refuse('INVALID_ENVELOPE', 'envelope is missing.', {
    field: 'envelope',
    found: 'nothing',
    expected: 'an envelope',
  });
}

let last: { readonly record: AcceptedRecord; readonly bytes: Buffer } | undefined;

/**
 * An accepted envelope as a message of `StreamSession`; serialised once for all followers of the session,
 * since each record is delivered to all of them before the next one.
 */
export function acceptedFrame(record: AcceptedRecord): Buffer {
  if (last?.record === record) return last.bytes;
  const envelope = encodeEnvelope(record.envelope);
  const bytes = frame(RUNTIME_SERVICE.streamSession.response.write({ envelope }, PREFIX));
  last = { record, bytes };
  return bytes;
}
