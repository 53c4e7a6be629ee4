import type { JsonObject, JsonValue } from '../json/json.js';
import { JsonBytes } from '../json/json-bytes.js';
import { type Envelope, PROTOCOL } from './envelope.js';
import type { SendingContext } from './validate.js';

/** An envelope as canonical JSON, in memory that it shares with others. */
export interface Written {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  /** Where its payload is. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

/**
 * A message with what the gateway fills in. It keeps its canonical form once that was needed: its record, its fingerprint
 * and every delivery are made from that. A class, since only a private field stays out of copies (which may be changed),
 * comparisons and JSON.
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
      id = sending.fallbackId ?? sending.newId?.(),
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

  static writtenOf(envelope: object): Written | undefined {
    if (!(#written in envelope)) return undefined;
    // Nobody gets a message that was not checked.
    envelope.#written ??= write(envelope as JsonObject as Envelope);
    return envelope.#written;
  }
}

/** The canonical form of an envelope as it was received; not of a copy. */
export function writtenOf(envelope: object): Written | undefined {
  return CompletedMessage.writtenOf(envelope);
}

/** Adds the canonical JSON of an envelope. */
export function addEnvelope(envelope: JsonObject, to: JsonBytes): void {
  const written = writtenOf(envelope);
  if (written === undefined) to.addJson(envelope);
  else to.addPart(written.bytes, written.start, written.end);
}

function write({ context, correlationId, from, id, kind, payload, to, ts }: Envelope): Written {
  // If it grows, it has other bytes than before, with those of the envelopes before it.
  if (memory.bytes.length - memory.end < LEAST) memory = new JsonBytes(MEMORY);
  const text = memory;
  const start = text.end;
  text.addAscii('{');
  if (context !== undefined) {
    text.addAscii('"context":');
    text.addQuoted(context);
    text.addAscii(',');
  }
  if (correlationId !== undefined) {
    text.addAscii('"correlationId":');
    text.addJson(correlationId);
    text.addAscii(',');
  }
  text.addAscii('"from":');
  text.addQuoted(from);
  text.addAscii(',"id":');
  text.addQuoted(id);
  text.addAscii(',"kind":');
  text.addQuoted(kind);
  text.addAscii(',"payload":');
  const payloadStart = text.end;
  text.addJson(payload);
  const payloadEnd = text.end;
  text.addAscii(AFTER_PAYLOAD);
  if (to !== undefined) {
    text.addAscii(',"to":');
    text.addJson(to);
  }
  text.addAscii(',"ts":');
  text.addQuoted(ts);
  text.addAscii('}');
  return { bytes: text.bytes, start, end: text.end, payloadStart, payloadEnd };
}

const AFTER_PAYLOAD = `,"protocol":"${PROTOCOL}"`;

/** Some envelopes share a piece of memory, which is let go with the last of them. Another begins when less than this is left. */
const MEMORY = 16_384;
const LEAST = 1_024;
let memory = new JsonBytes(MEMORY);
