/**
 * What a page of the console may load and talk to: its own files and this gateway. No inline script or style, no frames
 * around it, no markup made of strings. Trusted Types allow one policy: the one that names the service worker's file, which
 * is a sink for script addresses too.
 *
 * @param issuers - origins that the page may also ask, for signing in
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
