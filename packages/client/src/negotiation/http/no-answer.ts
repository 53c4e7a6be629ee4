import { MacpError } from '../macp-error.js';

/** Errors of a request before any of it was sent: no connection, or an untrusted one. */
const NOT_LEFT =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|(?:ERR_TLS|ERR_SSL|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_\w+)$/;

/**
 * No answer came to a request. Says that the request may have arrived, unless it certainly has not
 * (N-6).
 */
export function noAnswer(base: string, cause: unknown): MacpError {
  const { code, why } = reasonOf(cause);
  const sentence = NOT_LEFT.test(code)
    ? `No gateway answers at ${base}${why}.`
    : `No response from ${base}${why}; the request may have arrived.`;
  return new MacpError('UNAVAILABLE', sentence, { cause });
}

/** An answer started, so that the request has certainly arrived, but did not end. */
export function brokeOff(base: string, cause: unknown): MacpError {
  const sentence = `The response from ${base} was cut off${reasonOf(cause).why}; the request has arrived.`;
  return new MacpError('UNAVAILABLE', sentence, { cause });
}

/** The underlying error: `fetch` itself says only that it failed. */
function reasonOf(cause: unknown): { readonly code: string; readonly why: string } {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  const text = inner instanceof Error && inner.message !== '' ? inner.message : code;
  return { code, why: text === '' ? '' : ` (${text})` };
}
