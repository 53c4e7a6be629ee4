import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';

/** The target of a request. */
export interface RequestTarget {
  /** Verbatim, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Parses the URL of a request. Nothing is resolved: `..` and `//` are names like any other, so that a proxy
 * in front of the gateway and the gateway itself see the same path. Never throws.
 */
export function readTarget(address: string | undefined): RequestTarget {
  // Proxies may get an absolute URL (RFC 9112, 3.2.2).
  const text = (address ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const mark = text.indexOf('?');
  const path = mark === -1 ? text : text.slice(0, mark);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(mark === -1 ? '' : text.slice(mark)) };
}

/** Whether the URL has a token in it, which logs and histories would keep. */
export function hasToken({ query }: RequestTarget): boolean {
  return query.has('token') || query.has('access_token');
}

/** The refusal of an invalid query parameter. */
export function refuseParameter(field: string, found: string, expected: string): Refusal {
  return refuse('invalid_field', `${field} in the URL is ${quote(found)}; expected ${expected}.`, {
    field,
    found,
    expected,
  });
}
