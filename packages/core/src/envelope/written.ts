import { canonicalJson } from '../json/canonical.js';
import type { JsonObject, JsonValue } from '../json/json.js';
import { type Envelope, PROTOCOL } from './envelope.js';
import type { SendingContext } from './validate.js';

/** An envelope as canonical JSON, in three parts. */
export interface Written {
  /** Without the opening brace: on delivery something comes first. */
  readonly before: string;
  readonly payload: string;
  readonly after: string;
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

/** The canonical text of an envelope. */
export function canonicalEnvelope(envelope: JsonObject): string {
  const written = writtenOf(envelope);
  if (written === undefined) return canonicalJson(envelope);
  return `{${written.before}${written.payload}${written.after}`;
}

function write({ context, correlationId, from, id, kind, payload, to, ts }: Envelope): Written {
  const thread = context === undefined ? '' : `"context":${canonicalJson(context)},`;
  const about = correlationId === undefined ? '' : `"correlationId":${canonicalJson(correlationId)},`;
  const addressees = to === undefined ? '' : `,"to":${canonicalJson(to)}`;
  return {
    before: `${thread}${about}"from":${canonicalJson(from)},"id":${canonicalJson(id)},"kind":${canonicalJson(kind)},"payload":`,
    payload: canonicalJson(payload),
    after: `${AFTER_PAYLOAD}${addressees},"ts":${canonicalJson(ts)}}`,
  };
}

const AFTER_PAYLOAD = `,"protocol":"${PROTOCOL}"`;
