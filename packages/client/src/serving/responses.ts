import { defined, isJsonObject, type JsonObject, type JsonValue } from '@proffer/core/json';
import { reportsUnknownOutcome } from '@proffer/core/operations';
import { OperationFailedError, OutcomeUnknownError } from '../errors.js';

/** JSON-RPC: internal error. */
export const INTERNAL_ERROR = -32_603;

/** The content of a JSON-RPC response: the result, or the error as something to throw. */
type Answer =
  | { readonly result: JsonValue }
  | { readonly failed: OperationFailedError | OutcomeUnknownError };

/**
 * Parses the payload of a response to a request. A tool result with `isError` is a result, as it is
 * for MCP clients.
 */
export function readAnswer(payload: JsonObject, request: Asked): Answer {
  const { result, error } = payload;
  if (reportsUnknownOutcome(payload)) {
    const { id, ...about } = request;
    return { failed: new OutcomeUnknownError(id, 'executor_lost_it', about) };
  }
  if (!isJsonObject(error)) return { result: result ?? null };
  const { code, message, data } = error;
  const text = typeof message === 'string' ? message : 'The operation failed.';
  return { failed: new OperationFailedError(typeof code === 'number' ? code : INTERNAL_ERROR, text, data) };
}

/** The envelope id of a request, and what is known about it. */
interface Asked {
  readonly id: string;
  readonly proposal?: string;
  readonly executor?: string;
}

/** The payload of a JSON-RPC request; a notification has no id. */
export function requestPayload(id: string, method: string, params: JsonObject | undefined): JsonObject {
  return { jsonrpc: '2.0', ...(isNotification(method) ? {} : { id }), method, ...defined({ params }) };
}

/** MCP methods without an answer. */
export function isNotification(method: string): boolean {
  return method.startsWith('notifications/');
}

/** The JSON-RPC error for an exception: an OperationFailedError with its code and data. */
export function errorOf(error: unknown): JsonObject {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof OperationFailedError)) return { code: INTERNAL_ERROR, message };
  return { code: error.code, message, ...defined({ data: error.data }) };
}
