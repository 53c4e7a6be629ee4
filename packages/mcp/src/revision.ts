import type { JsonObject } from '@proffer/core/json';
import { objectAt } from './json-rpc.js';

/** The `_meta` keys in each 2026-07-28 request for the sender's capabilities, revision and identity. */
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

/** The name of the tasks extension of 2026-07-28. */
export const TASKS_KEY = 'io.modelcontextprotocol/tasks';

/** Whether the sender of a request supports tasks. */
export function takesTasks(params: JsonObject): boolean {
  const extensions = objectAt(objectAt(objectAt(params, '_meta'), CAPABILITIES_KEY), 'extensions');
  return Object.hasOwn(extensions, TASKS_KEY);
}

/** Whether a request is of a revision without sessions (2026-07-28), in which every result has a type. */
export function isModern(params: JsonObject): boolean {
  return Object.hasOwn(objectAt(params, '_meta'), VERSION_KEY);
}

/** The `_meta` of our own 2026-07-28 requests: a client without capabilities. */
export function requestMeta(client: JsonObject): JsonObject {
  return { [VERSION_KEY]: '2026-07-28', [CLIENT_KEY]: client, [CAPABILITIES_KEY]: {} };
}
