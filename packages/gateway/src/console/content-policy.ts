/**
 * What a page of the console may load and connect to: its own files and this gateway. No inline script or
 * style, no framing, no markup from strings. Trusted Types allow one policy: the one for the service worker's
 * URL, which is a script sink too.
 *
 * @param issuers - origins that the page may also contact, for signing in
 */
export function contentPolicy(issuers: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "manifest-src 'self'",
    "worker-src 'self'",
    ["connect-src 'self'", ...issuers].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types proffer-worker',
  ].join('; ');
}
