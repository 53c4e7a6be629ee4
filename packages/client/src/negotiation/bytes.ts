import type { JsonObject } from '@proffer/core/json';

/** Bytes for the wire: as they are, a text as UTF-8, or an object as JSON. */
export type Content = Uint8Array | string | JsonObject;

/** Content in base64 with padding, as in JSON envelopes. */
export function encodeContent(content: Content): string {
  if (content instanceof Uint8Array) return encodeBase64(content);
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return encodeBase64(new TextEncoder().encode(text));
}

function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  // In chunks: a call takes a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8_192) {
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  }
  return btoa(text);
}

/** The text in base64 of UTF-8, such as a proposal's `details`. Invalid UTF-8 shows as `�`. */
export function decodeText(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}
