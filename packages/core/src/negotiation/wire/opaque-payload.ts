import { canonicalJson } from '../../json/canonical.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import { parseJson } from '../../json/parse.js';
import { bytes, type FieldReader, read, wrong } from './readers.js';

/**
 * A payload that nothing here interprets (N-31): an object stands for its canonical JSON text, and `{ bytes }`, with
 * base64, for any other bytes. So what a follower gets is byte for byte what was sent.
 */
export const opaquePayload: FieldReader<JsonObject> = (found, path) => {
  if (found === undefined || found === null) return read(NOTHING);
  if (!isJsonObject(found)) return wrong(found, path, 'an object');
  if (!isBytesForm(found)) return read(found);
  const encoded = bytes(found['bytes'], [...path, 'bytes']);
  return encoded.ok ? read(found) : encoded;
};

/** No bytes at all. */
const NOTHING: JsonObject = { bytes: '' };

/**
 * The payload for some bytes.
 *
 * @param text - the bytes as UTF-8; `undefined` if they are not
 * @param base64 - the bytes
 */
export function opaquePayloadFrom(text: string | undefined, base64: () => string): JsonObject {
  const json = text?.startsWith('{') === true ? parseJson(text) : undefined;
  if (json?.ok === true && isJsonObject(json.value) && !isBytesForm(json.value)) {
    if (canonicalJson(json.value) === text) return json.value;
  }
  return { bytes: base64() };
}

/** What a payload stands for: bytes in base64, or text. */
export function opaqueContent(payload: JsonObject): { readonly base64: string } | { readonly text: string } {
  const { bytes: base64 } = payload;
  return isBytesForm(payload) && typeof base64 === 'string' ? { base64 } : { text: canonicalJson(payload) };
}

/** Whether an object can only mean bytes. */
function isBytesForm(value: { readonly [key: string]: JsonValue | undefined }): boolean {
  return typeof value['bytes'] === 'string' && Object.keys(value).length === 1;
}
