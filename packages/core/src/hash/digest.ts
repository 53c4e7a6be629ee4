import { canonicalJson } from '../json/canonical.js';
import type { JsonValue } from '../json/json.js';
import { type HashText, sha256 } from './sha256.js';

/** A digest of a JSON value's canonical text: `sha256:` and 64 hex digits. */
export function digestJson(value: JsonValue, hash: HashText = sha256): string {
  return `sha256:${hash(canonicalJson(value))}`;
}
