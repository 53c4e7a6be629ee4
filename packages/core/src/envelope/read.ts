import { describe } from '../json/describe.js';
import {
  DEFAULT_JSON_LIMITS,
  isJsonObject,
  type JsonLimits,
  type JsonObject,
  type JsonValue,
} from '../json/json.js';
import { parseJson } from '../json/parse.js';
import { toJson } from '../json/to-json.js';
import type { RefusalCode } from '../refusal/codes.js';
import { failure, type Refusal, type Result, refuse } from '../refusal/refusal.js';
import { DIALECTS, detectDialect } from './dialects/detect.js';
import type { Delivered, DialectName } from './dialects/dialect.js';
import type { Envelope } from './envelope.js';
import { isIdentifier } from './name.js';
import { type Sending, validateEnvelope } from './validate.js';

/** What is known about a message before it is read. */
export interface ReadOptions extends Sending {
  /** The dialect to read it in; by default it is detected for each message. */
  readonly dialect?: DialectName;
}

/**
 * A message in canonical form and the dialect to answer in; or why there is none, with as much as is known about whom
 * and what to answer.
 */
export type EnvelopeReading =
  | { readonly ok: true; readonly value: { readonly envelope: Envelope; readonly dialect: DialectName } }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      /** The id that the sender gave the message, if it could be read and is one. */
      readonly id?: string;
      /** Absent when the message was not even an object. */
      readonly dialect?: DialectName;
    };

/**
 * Reads JSON text from a peer: {@link parseJson}, then {@link decodeEnvelope}. Never throws (O-5).
 *
 * @param options.limits - on size and depth; 1 MiB and 64 levels if left out
 */
export function readMessage(
  text: string,
  options: ReadOptions & { readonly limits?: JsonLimits },
): EnvelopeReading {
  const parsed = parseJson(text, options.limits ?? DEFAULT_JSON_LIMITS);
  if (parsed.ok) return decodeEnvelope(parsed.value, options);
  return { ...parsed, ...whomToAnswer(text, parsed.refusal.code) };
}

/**
 * Of a message that is JSON but not taken as such: its id and dialect, so that its sender learns which one
 * it was. One that is too large is not looked at.
 */
function whomToAnswer(
  text: string,
  code: RefusalCode,
): { readonly id?: string; readonly dialect?: DialectName } {
  if (code === 'too_large' || code === 'invalid_json') return {};
  try {
    const raw: unknown = JSON.parse(text);
    if (!isJsonObject(raw)) return {};
    const dialect = detectDialect(raw);
    return isIdentifier(raw['id']) ? { id: raw['id'], dialect } : { dialect };
  } catch {
    return {};
  }
}

/**
 * Reads a message that a program hands over as an object: {@link toJson}, then
 * {@link decodeEnvelope}. Never throws, not even on cycles or getters that do. The limits are those
 * of {@link readMessage}.
 */
export function readObject(
  value: unknown,
  options: ReadOptions & { readonly limits?: JsonLimits },
): EnvelopeReading {
  return decodeParsed(toJson(value, options.limits ?? DEFAULT_JSON_LIMITS), options);
}

/**
 * Turns a message in any dialect into the canonical form (O-7) and checks it (O-1 … O-6). Refuses as
 * {@link validateEnvelope} does, with fields named in the sender's own spelling, and with
 * `invalid_json` what is not an object.
 */
export function decodeEnvelope(raw: JsonValue, options: ReadOptions): EnvelopeReading {
  if (!isJsonObject(raw)) {
    const found = describe(raw);
    return failure(refuse('invalid_json', `The message is ${found}.`, { found, expected: 'an object' }));
  }
  const dialect = options.dialect ?? detectDialect(raw);
  const codec = DIALECTS[dialect];
  const checked = validateEnvelope(codec.decode(raw), options, {
    fieldName: (field) => codec.fieldName(field, raw),
    kind: raw['kind'],
  });
  if (checked.ok) return { ok: true, value: { envelope: checked.value, dialect } };
  const { id } = raw;
  return { ...checked, dialect, ...(isIdentifier(id) ? { id } : {}) };
}

/** Writes a canonical message, the gateway's own `system.*` included, in a dialect, with its `seq` (O-4). */
export function encodeEnvelope(
  envelope: Envelope,
  dialect: DialectName,
  delivered: Delivered = {},
): JsonObject {
  return DIALECTS[dialect].encode(envelope, delivered);
}

function decodeParsed(parsed: Result<JsonValue>, options: ReadOptions): EnvelopeReading {
  return parsed.ok ? decodeEnvelope(parsed.value, options) : parsed;
}
