import { isJsonObject, type JsonObject, type JsonValue, objectOf, textOf } from '@proffer/core/json';

/** The id of a JSON-RPC request. */
export type RpcId = string | number;

/** A request, of which only what a proxy needs is known. */
export interface RpcRequest extends JsonObject {
  readonly id: RpcId;
  readonly method: string;
}

/** A response: a result or an error. */
export type RpcAnswer = { readonly result: JsonObject } | { readonly error: JsonObject };

/** JSON-RPC: it is no JSON, it is no request, there is no such method, its params are wrong, something went wrong inside. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
export const INTERNAL_ERROR = -32_603;

export function isRequest(message: JsonObject): message is RpcRequest {
  return typeof message['method'] === 'string' && isId(message['id']);
}

/** The id that a response answers; `undefined` if the message is no response. */
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
  return { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
}

export function notificationOf(method: string, params: JsonObject): JsonObject {
  return { jsonrpc: '2.0', method, params };
}

/**
 * A message with the members of JSON-RPC and no others, to be written anew. Readers disagree about a key
 * that comes twice or in other capitals; what goes on has to be what was looked at.
 */
export function plainMessage({ jsonrpc, id, method, params, result, error }: JsonObject): JsonObject {
  return {
    ...(jsonrpc === undefined ? {} : { jsonrpc }),
    ...(id === undefined ? {} : { id }),
    ...(method === undefined ? {} : { method }),
    ...(params === undefined ? {} : { params }),
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error }),
  };
}

/** The params of a request or notification; empty where there are none. */
export function paramsOf({ params }: JsonObject): JsonObject {
  return objectOf(params);
}

/** A member that is an object; empty where it is absent or something else. */
export function objectAt(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return objectOf(value);
}

/** A member that is a text; empty where it is absent or something else. */
export function textAt(object: JsonObject, key: string): string {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return textOf(value);
}

function isId(value: JsonValue | undefined): value is RpcId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));
}
