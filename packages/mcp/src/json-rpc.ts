import { defined, isJsonObject, type JsonObject, type JsonValue, objectOf, textOf } from '@proffer/core/json';

/** The id of a JSON-RPC request. */
export type RpcId = string | number;

/** A request, as far as a proxy needs to know it. */
export interface RpcRequest extends JsonObject {
  readonly id: RpcId;
  readonly method: string;
}

/** A response: a result or an error. */
export type RpcAnswer = { readonly result: JsonObject } | { readonly error: JsonObject };

/** JSON-RPC error codes: invalid JSON, invalid request, unknown method, invalid params, internal error. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

export function isRequest(message: JsonObject): message is RpcRequest {
  return typeof message['method'] === 'string' && isId(message['id']);
}

/** The id that a response answers; `undefined` if the message is not a response. */
export function answeredId(message: JsonObject): RpcId | undefined {
  if (message['method'] !== undefined || !isId(message['id'])) return undefined;
  return message['id'];
}

/** The result or error in a response. */
export function answerIn({ result, error }: JsonObject): RpcAnswer {
  if (isJsonObject(error)) return { error };
  return { result: objectOf(result) };
}

/** The message that answers a request. */
export function answerTo(id: RpcId, answer: RpcAnswer): JsonObject {
  return { jsonrpc: '2.0', id, ...answer };
}

export function requestOf(id: RpcId, method: string, params?: JsonObject): RpcRequest {
  return { jsonrpc: '2.0', id, method, ...defined({ params }) };
}

export function notificationOf(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

/**
 * A message with only the members of JSON-RPC, to be reserialized. Parsers disagree about a duplicate key or
 * one in other capitals; what is forwarded has to be what was checked.
 */
export function plainMessage({ jsonrpc, id, method, params, result, error }: JsonObject): JsonObject {
  return defined({ jsonrpc, id, method, params, result, error });
}

/** The params of a request or notification; empty if there are none. */
export function paramsOf({ params }: JsonObject): JsonObject {
  return objectOf(params);
}

/** An object member; empty if it is absent or something else. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return objectOf(value);
}

/** A text member; empty if it is absent or something else. */
export function textAt(object: JsonObject, key: string): string {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return textOf(value);
}

function isId(value: JsonValue | undefined): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
