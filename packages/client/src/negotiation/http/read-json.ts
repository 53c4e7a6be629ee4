import { failure, refuse } from '@proffer/core';
import { type JsonObject, type JsonValue, listOf, objectOf, objectsIn, textOf } from '@proffer/core/json';
import {
  type Ack,
  MACP_VERSION,
  type MacpEnvelope,
  readMacpJson,
  type SessionMetadata,
} from '@proffer/core/negotiation';
import { macpError } from '../macp-error.js';
import type { RuntimeDescription } from '../runtime-description.js';
import type { AcceptedEnvelope, SessionEvent } from '../transport.js';

const STATE = 'SESSION_STATE_';

/** Parses an envelope received over HTTP. Throws a MacpError if it is malformed. */
export function envelopeFrom(value: JsonValue | undefined): MacpEnvelope {
  const read = readMacpJson(value ?? null, () =>
    failure(refuse('INVALID_ENVELOPE', 'Expected the payload as JSON, not as payload_b64.')),
  );
  if (read.ok) return read.value.envelope;
  const { code, message, details } = read.refusal;
  throw macpError(code, message, { details });
}

/** An answer to a message, with the state as core names it. */
export function ackFrom(answer: JsonObject): Ack {
  return { ...answer, session_state: stateFrom(answer['session_state']) } as Ack;
}

/** A description of a session, with the state as core names it. */
export function sessionFrom(value: JsonValue | undefined): SessionMetadata {
  const session = objectOf(value);
  return { ...session, state: stateFrom(session['state']) } as SessionMetadata;
}

/** The objects in a list of an answer; empty if there is no such list. */
export function listIn(answer: JsonObject, name: string): readonly JsonObject[] {
  return objectsIn(answer[name]);
}

/** The content of `/.well-known/macp.json`. */
export function runtimeFrom(manifest: JsonObject): RuntimeDescription {
  const modes = manifest['supported_modes'];
  return {
    protocolVersion: MACP_VERSION,
    name: textOf(manifest['agent_id']),
    version: '',
    supportedModes: listOf(modes).map(textOf),
    instructions: textOf(manifest['description']),
  };
}

/** An accepted message with its sequence in its session. */
export function acceptedFrom({ sequence, accepted_at_unix_ms, envelope }: JsonObject): AcceptedEnvelope {
  return {
    sequence: Number(sequence),
    envelope: envelopeFrom(envelope),
    acceptedAt: Number(accepted_at_unix_ms),
  };
}

/** What happened to a session. */
export function sessionEventFrom(data: JsonObject): SessionEvent {
  const { event_type, session, observed_at_unix_ms } = data;
  return {
    type: textOf(event_type).replace('EVENT_TYPE_', '') as SessionEvent['type'],
    session: sessionFrom(session),
    observedAt: Number(observed_at_unix_ms),
  };
}

function stateFrom(value: JsonValue | undefined): string {
  return textOf(value).startsWith(STATE) ? textOf(value).slice(STATE.length) : 'UNSPECIFIED';
}
