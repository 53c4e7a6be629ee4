import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import type { Fetch } from './fetch.js';
import { trustedCertificates } from './trust.js';

/** Statuses whose answers have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` that trusts certain authorities, too: that of Node 20 cannot be told. It knows what this package asks for: a
 * method, headers, a text as body, a signal. It follows no redirect.
 *
 * @param ca - in PEM
 */
export function trustingFetch(ca: string | Uint8Array): Fetch {
  const trusted = [...trustedCertificates(ca)];
  return (url, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const options = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ...(signal === undefined || signal === null ? {} : { signal }),
      };
      const request = url.startsWith('https:')
        ? requestHttps(url, { ...options, ca: trusted })
        : requestHttp(url, options);
      request.on('error', (cause) => reject(new TypeError('fetch failed', { cause })));
      request.on('response', (answer) => {
        const { statusCode: status = 0 } = answer;
        const content = BODILESS.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
        resolve(new Response(content, { status }));
      });
      request.end(typeof body === 'string' ? body : undefined);
    });
}
