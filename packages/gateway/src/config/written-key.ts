/** A key as in the file: `default_ttl` for `defaultTtl`. */
export function writtenKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
