import { quote } from '../../json/describe.js';

const UUID_SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TOKEN = /^[A-Za-z0-9_-]{22,128}$/;

/**
 * Whether an id is valid for a session (N-2): a UUID v4 or v7 in lower case, or 22 to 128 characters
 * of base64url. Anything that looks like a UUID must be one, although its characters are all
 * base64url: otherwise two spellings of one UUID would name two sessions.
 */
export function isSessionId(id: string): boolean {
  return UUID_SHAPE.test(id) ? CANONICAL_UUID.test(id) : TOKEN.test(id);
}

/** A session id for the details of a refusal: in full if it is valid, otherwise quoted and shortened. */
export function describeSessionId(id: string): string {
  return isSessionId(id) ? id : quote(id);
}
