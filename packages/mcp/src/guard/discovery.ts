import type { JsonObject } from '@proffer/core/json';
import { objectAt } from '../json-rpc.js';
import { TASKS_KEY } from '../revision.js';

/** A result of `server/discover` which says that calls may be answered with a task, as a held call may. */
export function withTasks(result: JsonObject): JsonObject {
  const capabilities = objectAt(result, 'capabilities');
  const extensions = objectAt(capabilities, 'extensions');
  if (Object.hasOwn(extensions, TASKS_KEY)) return result;
  return { ...result, capabilities: { ...capabilities, extensions: { ...extensions, [TASKS_KEY]: {} } } };
}
