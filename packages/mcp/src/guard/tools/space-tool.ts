import type { Tool } from '@proffer/client/participation';
import { isJsonObject, type JsonObject } from '@proffer/core/json';

/** A tool as it is announced in the space, from its server's definition. */
export function spaceTool(name: string, definition: JsonObject, handler: Tool['handler']): Tool {
  const { description, inputSchema, annotations } = definition;
  return {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
    ...(isJsonObject(annotations) ? { annotations } : {}),
    handler,
  };
}
