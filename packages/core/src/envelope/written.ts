import { canonicalJson } from '../json/canonical.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { NONE, type Tape, wordOf, writeAscii, writeJson, writeScanned, writeText } from '../tape/index.js';
import { type Envelope, PROTOCOL } from './envelope.js';
import type { Sending } from './validate.js';

/** The canonical bytes of an envelope, and of the payload in it: part of memory that others share. */
export interface Written {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

/**
 * A message with what the gateway fills in. It may keep its canonical bytes: its record, its fingerprint and every delivery
 * are made from them. A class, since only a private field stays out of copies (which may be changed), comparisons and
 * JSON.
 */
export class CompletedMessage implements JsonObject {
  readonly [field: string]: JsonValue | undefined;
  #written: Written | undefined;

  /**
   * Only absent fields are filled in: `null` is a value, and an invalid one. Field by field in canonical order, which is
   * fastest for engines and for sorting.
   */
  constructor(message: JsonObject, sending: Sending) {
    const { context, correlationId, from, id = sending.fallbackId, kind, payload, protocol, to, ts } = message;
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

/** The canonical bytes of an envelope, if it was received as bytes; not of a copy. */
export function writtenOf(envelope: object): Written | undefined {
  return CompletedMessage.writtenOf(envelope);
}

/**
 * Writes an envelope as canonical JSON and lets it keep the bytes.
 *
 * @param scanned - what was received
 * @param isAsSent - whether its payload is the one that was scanned
 */
export function keepWritten(envelope: Envelope, scanned: Tape, isAsSent: boolean): void {
  const payload = isAsSent ? scanned.member(0, PAYLOAD) : NONE;
  let written = write(envelope, scanned, payload);
  if (written.end > memory.length) {
    memory = new Uint8Array(Math.max(MEMORY, written.end - used));
    used = 0;
    written = write(envelope, scanned, payload);
  }
  used = written.end;
  CompletedMessage.keep(envelope, written);
}

const PAYLOAD = wordOf('payload');

/** Many messages share a piece of memory, which is let go with the last of them. */
const MEMORY = 65_536;
let memory = new Uint8Array(MEMORY);
let used = 0;

/** At the end of what is used, perhaps beyond the end of the memory. */
function write(envelope: Envelope, scanned: Tape, payload: number): Written {
  const { context, correlationId, from, id, kind, to, ts } = envelope;
  const start = used;
  let at = writeAscii('{', memory, start);
  if (context !== undefined) {
    at = writeAscii('"context":', memory, at);
    at = writeText(context, memory, at);
    at = writeAscii(',', memory, at);
  }
  if (correlationId !== undefined) {
    at = writeAscii('"correlationId":', memory, at);
    at = typeof correlationId === 'string' ? writeText(correlationId, memory, at) : writeTexts(correlationId, at);
    at = writeAscii(',', memory, at);
  }
  at = writeAscii('"from":', memory, at);
  at = writeText(from, memory, at);
  at = writeAscii(',"id":', memory, at);
  at = writeText(id, memory, at);
  at = writeAscii(',"kind":', memory, at);
  at = writeText(kind, memory, at);
  const payloadStart = writeAscii(',"payload":', memory, at);
  const payloadEnd =
    payload === NONE
      ? writeJson(canonicalJson(envelope.payload), memory, payloadStart)
      : writeScanned(scanned, payload, memory, payloadStart);
  at = writeAscii(AFTER_PAYLOAD, memory, payloadEnd);
  if (to !== undefined) {
    at = writeAscii(',"to":', memory, at);
    at = writeTexts(to, at);
  }
  at = writeAscii(',"ts":', memory, at);
  at = writeText(ts, memory, at);
  const end = writeAscii('}', memory, at);
  return { bytes: memory, start, end, payloadStart, payloadEnd };
}

const AFTER_PAYLOAD = `,"protocol":"${PROTOCOL}"`;

function writeTexts(texts: readonly string[], start: number): number {
  let at = start;
  for (const text of texts) {
    at = writeAscii(at === start ? '[' : ',', memory, at);
    at = writeText(text, memory, at);
  }
  return writeAscii(at === start ? '[]' : ']', memory, at);
}
