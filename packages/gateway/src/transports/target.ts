import { type Refusal, refuse } from '@proffer/core';
import { quote } from '@proffer/core/json';

/** What a request is for. */
export interface Target {
  /** As it was written, not decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Takes the address of a request apart. Nothing is resolved: `..` and `//` are names like any other, so
 * that whatever stands before the gateway and the gateway itself see the same path. Never throws.
 */
export function readTarget(address: string | undefined): Target {
  // Proxies may be asked with the whole address (RFC 9112, 3.2.2).
  const text = (address ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
  const mark = text.indexOf('?');
  const path = mark === -1 ? text : text.slice(0, mark);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(mark === -1 ? '' : text.slice(mark)) };
}

/** Whether the address has a token in it, where logs and histories would keep it. */
export function hasToken({ query }: Target): boolean {
  return query.has('token') || query.has('access_token');
}

/** The refusal of a value in the address that its parameter cannot have. */
export function refuseParameter(field: string, found: string, expected: string): Refusal {
  return refuse('invalid_field', `${field} in the address is ${quote(found)}; expected ${expected}.`, {
    field,
    found,
    expected,
  });
}
