import type { JsonObject } from '../../json/json.js';
import { message } from './reading.js';

export const write = { name: 'write_file', arguments: {} };

/** A complete, valid tool call, with a test's changes to its payload. */
export function request(payload: JsonObject = {}): JsonObject {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: write };
  return message('mcp.request.tools/call', { ...call, ...payload });
}

/** A response to such a call with the given content. */
export function response(payload: JsonObject, fields: JsonObject = {}): JsonObject {
  const answer = { jsonrpc: '2.0', id: 1, ...payload };
  return message('mcp.response.tools/call', answer, { correlationId: 'q-1', ...fields });
}
