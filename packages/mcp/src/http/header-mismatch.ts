import type { IncomingHttpHeaders } from 'node:http';
import type { JsonObject } from '@proffer/core/json';
import { declaredHeaders, decodeHeader, matchesHeader, valueAt } from '../channel/param-headers.js';
import { objectAt, paramsOf, type RpcRequest, textAt } from '../json-rpc.js';

/** The param that `Mcp-Name` repeats, by method. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * How the headers of a request (2026-07-28) contradict its body, as a sentence; `undefined` if they agree.
 * Intermediaries rely on the headers, so a contradictory request is refused.
 *
 * @param schemaOf - the input schema of a tool, as far as known, which says which arguments are also headers
 */
export function headerMismatch(
  request: RpcRequest,
  headers: IncomingHttpHeaders,
  schemaOf: (tool: string) => JsonObject | undefined,
): string | undefined {
  for (const required of ['mcp-protocol-version', 'mcp-method'])
    if (headers[required] === undefined) return `The header ${required} is missing.`;
  const params = paramsOf(request);
  const field = NAMED_BY.get(request.method);
  if (field === undefined || typeof params[field] !== 'string') return undefined;
  const name = textAt(params, field);
  const wrong = compare(headers, 'mcp-name', (shown) => shown === name, `params.${field}`);
  if (wrong !== undefined || request.method !== 'tools/call') return wrong;
  const args = objectAt(params, 'arguments');
  for (const { header, path } of declaredHeaders(schemaOf(name) ?? {})) {
    const value = valueAt(args, path);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') continue;
    const what = `the argument ${path.join('.')}`;
    const found = compare(headers, `mcp-param-${header.toLowerCase()}`, matchesHeader(value), what);
    if (found !== undefined) return found;
  }
  return undefined;
}

function compare(
  headers: IncomingHttpHeaders,
  header: string,
  isSame: (shown: string) => boolean,
  what: string,
): string | undefined {
  const given = headers[header];
  if (typeof given !== 'string') return `The header ${header} is missing: it must repeat ${what}.`;
  const shown = decodeHeader(given.trim());
  if (shown === undefined) return `The header ${header} is marked as Base64 but is not valid Base64.`;
  return isSame(shown) ? undefined : `The header ${header} differs from ${what}.`;
}
