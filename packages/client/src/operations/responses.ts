import { isJsonObject, type JsonObject, type JsonValue } from '@proffer/core';
import { OperationFailedError } from '../errors.js';

/** What a JSON-RPC response says: the result, or the error as something to throw. */
export type Answer = { readonly result: JsonValue } | { readonly failed: OperationFailedError };

/** Reads the payload of a response. A tool result with `isError` is a result, as it is for MCP clients. */
export function readAnswer({ result, error }: JsonObject): Answer {
  if (!isJsonObject(error)) return { result: result ?? null };
  const { code, message, data } = error;
  const text = typeof message === 'string' ? message : 'The operation failed.';
  return { failed: new OperationFailedError(typeof code === 'number' ? code : -32603, text, data) };
}

/** The payload of a JSON-RPC request; a notification has no id. */
export function requestPayload(id: string, method: string, params: JsonObject | undefined): JsonObject {
  return {
    jsonrpc: '2.0',
    ...(isNotification(method) ? {} : { id }),
    method,
    ...(params === undefined ? {} : { params }),
  };
}

/** MCP methods that nobody answers. */
export function isNotification(method: string): boolean {
  return method.startsWith('notifications/');
}
