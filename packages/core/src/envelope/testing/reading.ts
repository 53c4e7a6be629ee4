import type { JsonObject, JsonValue } from '../../json/json.js';
import type { Envelope } from '../envelope.js';
import { decodeEnvelope, type ReadOptions } from '../read.js';

/** 2025-08-30T12:00:00.000Z, when every message of these tests arrives. */
export const NOW = Date.UTC(2025, 7, 30, 12);

export const SENDING: ReadOptions = { from: 'agent', now: NOW };

/** The refusal of a message: code, field and the rest in one flat object to match against. */
export interface Refused {
  readonly code: string;
  readonly field: JsonValue | undefined;
  readonly found: JsonValue | undefined;
  readonly expected: JsonValue | undefined;
  readonly message: string;
}

/** The envelope that a message is read as; fails the test if it is refused. */
export function accepted(raw: JsonValue, options: Partial<ReadOptions> = {}): Envelope {
  const reading = decodeEnvelope(raw, { ...SENDING, ...options });
  if (!reading.ok) throw new Error(`refused: ${reading.refusal.message}`);
  // A plain copy, to be compared field by field: the envelope itself also keeps its bytes.
  return { ...reading.value.envelope };
}

/** Why a message is refused; fails the test if it is accepted. */
export function refused(raw: JsonValue, options: Partial<ReadOptions> = {}): Refused {
  const reading = decodeEnvelope(raw, { ...SENDING, ...options });
  if (reading.ok) throw new Error(`accepted: ${JSON.stringify(reading.value)}`);
  const { code, message, details } = reading.refusal;
  return { code, message, field: details['field'], found: details['found'], expected: details['expected'] };
}

/** A valid message of some kind; `fields` replace its own. */
export function message(kind: string, payload: JsonObject, fields: JsonObject = {}): JsonObject {
  return {
    protocol: 'mcpx/v0.1',
    id: 'm-1',
    ts: '2026-01-31T12:00:00Z',
    from: 'agent',
    kind,
    payload,
    ...fields,
  };
}

/** A proposal to write a file, which several tests modify in one place. */
export function proposal(payload: JsonObject = {}, fields: JsonObject = {}): JsonObject {
  const params = { name: 'write_file', arguments: { path: '/tmp/a' } };
  return message('mcp.proposal.tools/call', { method: 'tools/call', params, ...payload }, fields);
}
