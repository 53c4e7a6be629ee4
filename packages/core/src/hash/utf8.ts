/**
 * UTF-8 bytes of a well-formed string. Written out because core uses no host object at all:
 * `TextEncoder` is a host's, not the language's.
 */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6);
      bytes[length++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (code >= 0xd800 && code < 0xdc00 && index + 1 < text.length) {
      code = 0x10000 + ((code - 0xd800) << 10) + (text.charCodeAt(++index) - 0xdc00);
      bytes[length++] = 0xf0 | (code >> 18);
      bytes[length++] = 0x80 | ((code >> 12) & 0x3f);
    } else {
      bytes[length++] = 0xe0 | (code >> 12);
    }
    bytes[length++] = 0x80 | ((code >> 6) & 0x3f);
    bytes[length++] = 0x80 | (code & 0x3f);
  }
  return bytes.subarray(0, length);
}

/** How many bytes {@link encodeUtf8} would give, without making them. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // Two bytes below U+0800; a surrogate pair has four bytes for its two units, so each counts two.
    length += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return length;
}
