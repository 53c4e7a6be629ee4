import type { ServerResponse } from 'node:http';
import type { Refusal } from '@proffer/core';
import type { JsonValue } from '@proffer/core/json';
import { httpStatus, problemText } from '../problem.js';

/** Answers with JSON. */
export function replyJson(response: ServerResponse, status: number, body: JsonValue): void {
  replyText(response, status, 'application/json', `${JSON.stringify(body)}\n`);
}

/** Answers with text of a type. No answer may be cached, and browsers must not guess its type. */
export function replyText(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}

/**
 * Answers with a refusal as problem details (RFC 9457). Programs decide by `code`; `type` links to the
 * documentation of the code in this gateway's description.
 */
export function replyProblem(
  response: ServerResponse,
  refusal: Refusal,
  usual: number = httpStatus(refusal.code),
): void {
  setAdvice(response, refusal);
  // A known path with another method differs from an unknown path.
  const status = response.hasHeader('allow') ? 405 : usual;
  replyText(response, status, 'application/problem+json', problemText(refusal, status));
}

/** Answers with a refusal as the MACP routes do: `{ error: { code, message, details } }`. */
export function replyRefusal(response: ServerResponse, refusal: Refusal): void {
  const { code, message, details } = refusal;
  setAdvice(response, refusal);
  replyJson(response, httpStatus(code), { error: { code, message, details } });
}

/** The headers of a refusal: when to retry, how to authenticate. */
export function setAdvice(
  response: ServerResponse,
  { code, details }: Pick<Refusal, 'details'> & { readonly code: string },
): void {
  const { retry_after_ms: wait } = details;
  if (typeof wait === 'number') response.setHeader('retry-after', Math.ceil(wait / 1000));
  if (code === 'unauthenticated' || code === 'UNAUTHENTICATED')
    response.setHeader('www-authenticate', 'Bearer');
}
