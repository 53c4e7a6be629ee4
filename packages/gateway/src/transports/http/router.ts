import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '@proffer/core';

/** A request with its parsed URL. */
export interface HttpCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The values in the path, decoded, in order. */
  readonly values: readonly string[];
  /** The caller was authenticated: its connection is no longer a stranger's. */
  readonly onAdmitted: () => void;
  /** Answers with a refusal, and counts it. @param status - default: that of its code */
  readonly refuse: (refusal: Refusal, status?: number) => void;
}

export type HttpHandler = (call: HttpCall) => void | Promise<void>;

export interface HttpRoute {
  readonly method: string;
  /** Segments; one in braces, such as `{id}`, stands for any value, and `{*path}` at the end for all that follow. */
  readonly path: string;
  readonly handle: HttpHandler;
}

/** Routes from a table of handlers by method and path, such as `GET /spaces/{space}/feed`. */
export function routesOf(handlers: Readonly<Record<string, HttpHandler>>): readonly HttpRoute[] {
  return Object.entries(handlers).map(([route, handle]) => {
    const [method = '', path = ''] = route.split(' ');
    return { method, path, handle };
  });
}

/** The route of a request with the values in its path, or the methods of the path, or neither. */
export function findRoute(
  routes: readonly HttpRoute[],
  method: string,
  path: string,
):
  | { readonly route: HttpRoute; readonly values: readonly string[] }
  | { readonly allowed: readonly string[] } {
  const allowed: string[] = [];
  for (const route of routes) {
    const values = matchPath(route.path, path);
    if (values === undefined) continue;
    if (route.method === method) return { route, values };
    allowed.push(route.method);
  }
  return { allowed };
}

function matchPath(pattern: string, path: string): readonly string[] | undefined {
  const expected = pattern.split('/');
  const found = path.split('/');
  const hasRest = expected.at(-1)?.startsWith('{*') === true;
  if (hasRest) found.push(found.splice(expected.length - 1).join('/'));
  if (expected.length !== found.length) return undefined;
  const values: string[] = [];
  for (const [index, segment] of expected.entries()) {
    const text = found[index] ?? '';
    if (!segment.startsWith('{')) {
      if (segment !== text) return undefined;
      continue;
    }
    const value = decodeSegment(text);
    if (value === undefined || value === '') return undefined;
    values.push(value);
  }
  return values;
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
