const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The UTF-8 text in base64 with padding; `undefined` if it is not valid UTF-8. Core has no host objects to decode it. */
export function textInBase64(base64: string): string | undefined {
  const digits = base64.replace(/=+$/, '');
  let [escaped, bits, width] = ['', 0, 0];
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit);
    if (value === -1) return undefined;
    bits = ((bits << 6) | value) & 0xfff;
    width += 6;
    if (width < 8) continue;
    width -= 8;
    escaped += `%${((bits >> width) & 0xff).toString(16).padStart(2, '0')}`;
  }
  try {
    return decodeURIComponent(escaped);
  } catch {
    return undefined;
  }
}
