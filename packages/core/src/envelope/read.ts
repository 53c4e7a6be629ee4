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
import { type SendingContext, validateEnvelope } from './validate.js';

/** What is known about a message before it is read. */
export interface ReadOptions extends SendingContext {
  /** The dialect to read it in; by default it is detected for each message. */
  readonly dialect?: DialectName;
  /** The dialect of the connection, for messages that do not show theirs. */
  readonly spoken?: DialectName | undefined;
}

/**
 * A message in canonical form and the dialect to answer in; or why there is none, with what is known
 * for the answer.
 */
export type EnvelopeReading =
  | { readonly ok: true; readonly value: { readonly envelope: Envelope; readonly dialect: DialectName } }
  | {
      readonly ok: false;
      readonly refusal: Refusal;
      /** The sender's id of the message, if it is readable and valid. */
      readonly id?: string;
      /** Absent if the message was not even an object. */
      readonly dialect?: DialectName;
    };

/**
 * Parses JSON text from a peer: {@link parseJson}, then {@link decodeEnvelope}. Never throws (O-5).
 *
 * @param options.limits - on size and depth; 1 MiB and 64 levels by default
 */
export function readMessage(
  text: string,
  options: ReadOptions & { readonly limits?: JsonLimits },
): EnvelopeReading {
  const parsed = parseJson(text, options.limits ?? DEFAULT_JSON_LIMITS);
  if (parsed.ok) return decodeEnvelope(parsed.value, options);
  return { ...parsed, ...answerAddress(text, parsed.refusal.code, options.spoken) };
}

/**
 * The id and dialect of refused JSON, so that its sender learns which message it was. One that is too
 * large is not parsed.
 */
function answerAddress(
  text: string,
  code: RefusalCode,
  spoken: DialectName | undefined,
): { readonly id?: string; readonly dialect?: DialectName } {
  if (code === 'too_large' || code === 'invalid_json') return {};
  try {
    const raw: unknown = JSON.parse(text);
    if (!isJsonObject(raw)) return {};
    const dialect = detectDialect(raw, spoken);
    return isIdentifier(raw['id']) ? { id: raw['id'], dialect } : { dialect };
  } catch {
    return {};
  }
}

/**
 * Reads a message passed as an object: {@link toJson}, then {@link decodeEnvelope}. Never throws, not
 * even on cycles or throwing getters. The limits are those of {@link readMessage}.
 */
export function readObject(
  value: unknown,
  options: ReadOptions & { readonly limits?: JsonLimits },
): EnvelopeReading {
  return decodeParsed(toJson(value, options.limits ?? DEFAULT_JSON_LIMITS), options);
}

/**
 * Turns a message in any dialect into the canonical form (O-7) and checks it (O-1 … O-6). Refuses as
 * {@link validateEnvelope} does, with fields named in the sender's own spelling, and anything but an
 * object with `invalid_json`.
 */
export function decodeEnvelope(raw: JsonValue, options: ReadOptions): EnvelopeReading {
  if (!isJsonObject(raw)) {
    const found = describe(raw);
    return failure(refuse('invalid_json', `The message is ${found}.`, { found, expected: 'an object' }));
  }
  const dialect = options.dialect ?? detectDialect(raw, options.spoken);
  const codec = DIALECTS[dialect];
  const checked = validateEnvelope(codec.decode(raw), options, {
    fieldName: (field) => codec.fieldName(field, raw),
    kind: raw['kind'],
  });
  if (checked.ok) return { ok: true, value: { envelope: checked.value, dialect } };
  const { id } = raw;
  return { ...checked, dialect, ...(isIdentifier(id) ? { id } : {}) };
}

/**
 * Writes a canonical message, including the gateway's own `system.*`, in a dialect, with its `seq`
 * (O-4).
 */
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
