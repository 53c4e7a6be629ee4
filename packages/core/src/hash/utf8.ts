/**
 * A string's UTF-8 bytes; a lone surrogate becomes U+FFFD, as in every encoder. Implemented here
 * because core uses no host objects: `TextEncoder` belongs to the host, not the language.
 */
export function encodeUtf8(string: string): Uint8Array {
  const text = string.toWellFormed();
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
    if (code >= 0xd800 && code < 0xdc00) {
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

/** The number of bytes of {@link encodeUtf8}, without creating them. */
export function utf8Length(string: string): number {
  const text = string.toWellFormed();
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) continue;
    // Two bytes below U+0800; a surrogate pair has four bytes for its two units, so each counts two.
    length += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return length;
}
