/** A URL, as tolerantly as programs read one: with spaces around it, or with fewer slashes. */
const URL_LIKE = /^\s*(?:[a-z][a-z0-9+.-]*:[\\/]{2}|(?:https?|wss?|ftp):)/i;

/** Whether a text is a URL, or may be taken for one. */
export function isUrlLike(text: string): boolean {
  return URL_LIKE.test(text);
}

/** The host of a URL as rules compare it: in ASCII, without a dot at its end; `undefined` if it has none. */
export function hostInUrl(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/\.+$/, '') : '';
  return host === '' ? undefined : host;
}

const PATTERN = /^(?:\[[0-9a-f:.*]+\]|[a-z0-9*_-]+(?:\.[a-z0-9*_-]+)*)$/i;

/** What to write instead of a pattern that no host matches; `undefined` for one that some host may match. */
export function hostMeantBy(pattern: string): string | undefined {
  const host = hostInUrl(isUrlLike(pattern) ? pattern : `http://${pattern}`);
  const isLiteral = PATTERN.test(pattern) && (pattern.includes('*') || host === pattern.toLowerCase());
  return isLiteral ? undefined : (host ?? '*.example.com');
}
