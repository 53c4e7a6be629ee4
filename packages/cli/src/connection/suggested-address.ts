/** A host with its port as people write it; a token given as an address does not look like this. */
const HOST = /^(?:(localhost|\d+(?:\.\d+){3})|(?:[a-z\d-]{1,30}\.)+[a-z]{2,12})(?::\d{1,5})?$/;

/**
 * The host in a malformed address, with the missing scheme; `undefined` if there is none. The rest is never repeated,
 * since even a path may contain a secret.
 */
export function suggestedOrigin(text: string): string | undefined {
  const [written = ''] = text.split(/[/?#]/, 1);
  const found = HOST.exec(written);
  if (found === null) return undefined;
  return `${found[1] === undefined ? 'https' : 'http'}://${written}`;
}
