import { canonicalJson } from '../json/canonical.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { type Tape, wordOf, writeScanned } from '../tape/index.js';
import { type Envelope, PROTOCOL } from './envelope.js';
import type { SendingContext } from './validate.js';

/** An envelope as canonical JSON: the bytes of its payload, in memory that others share, and the text around them. */
export interface Written {
  /** Without the opening brace: on delivery something comes first. */
  readonly before: string;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

/**
 * A message with what the gateway fills in. It may keep its canonical form: its record, its fingerprint and every delivery
 * are made from that. A class, since only a private field stays out of copies (which may be changed), comparisons and
 * JSON.
 */
export class CompletedMessage implements JsonObject {
  readonly [field: string]: JsonValue | undefined;
  #written: Written | undefined;

  /**
   * Only absent fields are filled in: `null` is a value, and an invalid one. Field by field in canonical order, which is
   * fastest for engines and for sorting.
   */
  constructor(message: JsonObject, sending: SendingContext) {
    const {
      context,
      correlationId,
      from,
      id = sending.fallbackId,
      kind,
      payload,
      protocol,
      to,
      ts,
    } = message;
    const completed: { [field: string]: JsonValue } = this as { [field: string]: JsonValue };
    if (context !== undefined) completed['context'] = context;
    if (correlationId !== undefined) completed['correlationId'] = correlationId;
    completed['from'] = from === undefined ? sending.from : from;
    if (id !== undefined) completed['id'] = id;
    if (kind !== undefined) completed['kind'] = kind;
    if (payload !== undefined) completed['payload'] = payload;
    completed['protocol'] = protocol === undefined ? PROTOCOL : protocol;
    if (to !== undefined) completed['to'] = to;
    completed['ts'] = ts === undefined ? new Date(sending.now).toISOString() : ts;
  }

  static keep(envelope: Envelope, written: Written): void {
    if (#written in envelope) envelope.#written = written;
  }

  static writtenOf(envelope: object): Written | undefined {
    return #written in envelope ? envelope.#written : undefined;
  }
}

/** The canonical form of an envelope, if it was received as bytes; not of a copy. */
export function writtenOf(envelope: object): Written | undefined {
  return CompletedMessage.writtenOf(envelope);
}

/** Writes an envelope as canonical JSON, with the payload that was scanned, and lets it keep that. */
export function keepWritten(envelope: Envelope, scanned: Tape): void {
  const { context, correlationId, from, id, kind, to, ts } = envelope;
  const { bytes, start, end } = writePayload(scanned, scanned.member(0, PAYLOAD));
  const thread = context === undefined ? '' : `"context":${canonicalJson(context)},`;
  const about = correlationId === undefined ? '' : `"correlationId":${canonicalJson(correlationId)},`;
  const before = `${thread}${about}"from":${canonicalJson(from)},"id":${canonicalJson(id)},"kind":${canonicalJson(kind)},"payload":`;
  const addressees = to === undefined ? '' : `,"to":${canonicalJson(to)}`;
  const after = `${AFTER_PAYLOAD}${addressees},"ts":${canonicalJson(ts)}}`;
  CompletedMessage.keep(envelope, { before, bytes, start, end, after });
}

const AFTER_PAYLOAD = `,"protocol":"${PROTOCOL}"`;
const PAYLOAD = wordOf('payload');

/** Many payloads share a piece of memory, which is let go with the last of them. */
const MEMORY = 65_536;
let memory = new Uint8Array(MEMORY);
let used = 0;

function writePayload(scanned: Tape, payload: number): Pick<Written, 'bytes' | 'start' | 'end'> {
  const length = scanned.lengthOf(payload);
  if (used + length > memory.length) {
    memory = new Uint8Array(Math.max(MEMORY, length));
    used = 0;
  }
  const start = used;
  used = writeScanned(scanned, payload, memory, start);
  return { bytes: memory, start, end: used };
}
