import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';

/** Headers that a page may send in addition to the simple ones. */
const REQUEST_HEADERS = 'authorization, content-type, idempotency-key, last-event-id';
/** Headers that it may read in addition to the simple ones. */
const RESPONSE_HEADERS = 'location, retry-after, www-authenticate';
/** How long a browser may cache the preflight, in seconds. */
const MAX_AGE = '600';

/**
 * Lets the pages of certain origins use the gateway (CORS): exactly those, and never with cookies, which the gateway
 * does not use. Answers preflight requests itself.
 *
 * @returns `answered` if nothing is left to do; a refusal for the preflight of any other origin
 */
export function applyCors(
  request: IncomingMessage,
  response: ServerResponse,
  origins: readonly string[],
): Refusal | 'answered' | undefined {
  const { origin } = request.headers;
  if (origins.length > 0) response.setHeader('vary', 'origin');
  if (origin === undefined) return undefined;
  const isQuestion =
    request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
  if (!origins.includes(origin)) return isQuestion ? refuseOrigin(origin) : undefined;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', RESPONSE_HEADERS);
  if (!isQuestion) return undefined;
  response.writeHead(204, {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': REQUEST_HEADERS,
    'access-control-max-age': MAX_AGE,
  });
  response.end();
  return 'answered';
}

function refuseOrigin(origin: string): Refusal {
  return refuse('foreign_origin', `Pages of ${quote(origin)} may not use this gateway.`, { origin });
}
