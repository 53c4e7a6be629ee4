import type { JsonObject } from '@proffer/core/json';
import { objectAt } from './json-rpc.js';

/** Where each request of 2026-07-28 says what its sender can do, which revision it speaks, and who it is. */
export const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
export const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
export const CLIENT_KEY = 'io.modelcontextprotocol/clientInfo';

/** The name of the tasks extension of 2026-07-28. */
export const TASKS_KEY = 'io.modelcontextprotocol/tasks';

/** Whether a request says that its sender knows tasks. */
export function takesTasks(params: JsonObject): boolean {
  const extensions = objectAt(objectAt(objectAt(params, '_meta'), CAPABILITIES_KEY), 'extensions');
  return Object.hasOwn(extensions, TASKS_KEY);
}

/** Whether a request is of a revision without sessions (2026-07-28), in which every result names its type. */
export function isModern(params: JsonObject): boolean {
  return Object.hasOwn(objectAt(params, '_meta'), VERSION_KEY);
}

/** The `_meta` of each request of ours in revision 2026-07-28: of a client that can do nothing for a server. */
export function requestMeta(client: JsonObject): JsonObject {
  return { [VERSION_KEY]: '2026-07-28', [CLIENT_KEY]: client, [CAPABILITIES_KEY]: {} };
}
