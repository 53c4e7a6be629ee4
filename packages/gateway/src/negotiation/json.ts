import type { JsonLimits, JsonObject } from '@proffer/core/json';
import { writeMacpJson, writeSessionJson } from '@proffer/core/negotiation';
import type { AcceptedRecord, SessionLifecycleEvent } from './runtime.js';

/**
 * A payload slightly over the limit must still arrive, in base64 and in its envelope, to be refused as such.
 */
export function macpLimits(limits: JsonLimits, maxPayload: number): JsonLimits {
  return { ...limits, maxBytes: 2 * maxPayload + 65_536 };
}

/** An accepted envelope with its position in the session. */
export function writeAccepted({ version, time, envelope }: AcceptedRecord): JsonObject {
  return { sequence: version, accepted_at_unix_ms: time, envelope: writeMacpJson(envelope) };
}

/** A session event, with enum names as in protobuf's JSON. */
export function writeLifecycle({ event_type, session, ...plain }: SessionLifecycleEvent): JsonObject {
  return { ...plain, event_type: `EVENT_TYPE_${event_type}`, session: writeSessionJson(session) };
}
