/** How soon the page tries again, in milliseconds. */
const RETRY = 2_000;

/**
 * A page that a person's browser shows while the gateway is away. It tries again by itself, with the whole
 * address: a refresh by header would take the fragment of a link for a place in this page.
 *
 * @param nonce - in its style and its script, for the policy of the response
 */
export function awayPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Proffer is not running</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; text-align: center; }
main { padding: 1.5rem; max-width: 24rem; }
h1 { font-size: 1.25rem; margin: 0 0 0.5rem; }
p { margin: 0; }
</style>
<main>
<h1>Proffer is not running on the computer right now</h1>
<p role="status">It starts when an agent makes its next call. This page tries again every two seconds.</p>
</main>
<script nonce="${nonce}">setTimeout(() => location.reload(), ${RETRY});</script>
</html>
`;
}

/** The headers of a response with {@link awayPage}: nothing else may run or load in it. */
export function awayHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}
