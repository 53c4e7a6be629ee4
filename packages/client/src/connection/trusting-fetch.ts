import { Readable } from 'node:stream';
import { request } from '../http/request.js';
import type { Fetch } from './fetch.js';

/** Statuses of responses without a body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * A `fetch` that also trusts additional authorities, which Node 20's own cannot. It supports what
 * this package needs: a method, headers, a text body, a signal. It follows no redirects.
 *
 * @param ca - in PEM
 */
export function trustingFetch(ca: string | Uint8Array): Fetch {
  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const answer = await request(url, {
      ca,
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : undefined,
      signal: signal ?? undefined,
      keepAlive: true,
    }).catch((error: Error) => {
      throw new TypeError('fetch failed', { cause: error.cause });
    });
    const { statusCode: status = 0 } = answer;
    const content = BODILESS.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
    return new Response(content, { status });
  };
}
