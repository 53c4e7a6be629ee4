import { errorToThrow } from '@proffer/client/own-calls';
import type { Tool } from '@proffer/client/participation';
import { isToolName } from '@proffer/core';
import { isJsonArray, isJsonObject, type JsonObject } from '@proffer/core/json';
import { withoutHints } from '../hints.js';
import type { RpcAnswer } from '../json-rpc.js';
import type { List } from './server-session.js';

const MAX_PAGES = 100;

/** The announced fields of a resource or prompt: those that describe it to people and agents. */
const ANNOUNCED = ['uri', 'name', 'title', 'description', 'mimeType', 'arguments'];

/** Everything that a server lists, page by page; rejects with the server's own error. */
export async function listAll(
  list: List,
  ask: (method: string, params: JsonObject) => Promise<RpcAnswer>,
): Promise<readonly JsonObject[]> {
  const definitions: JsonObject[] = [];
  let params: JsonObject = {};
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await ask(`${list}/list`, params);
    if ('error' in answer) throw errorToThrow(answer.error);
    const listed = answer.result[list];
    if (isJsonArray(listed)) definitions.push(...listed.filter(isJsonObject));
    const { nextCursor } = answer.result;
    if (typeof nextCursor !== 'string') break;
    params = { cursor: nextCursor };
  }
  return definitions;
}

/**
 * Tool definitions as announced; those without a name are left out.
 *
 * @param trustsHints - whether they keep what the server says about its tools
 */
export function announcedTools(
  definitions: readonly JsonObject[],
  trustsHints: boolean,
): readonly Omit<Tool, 'handler'>[] {
  return definitions.flatMap((definition) => {
    const { name, description, inputSchema, annotations } = trustsHints
      ? definition
      : withoutHints(definition);
    if (!isToolName(name)) return [];
    return [
      {
        name,
        ...(typeof description === 'string' ? { description } : {}),
        ...(isJsonObject(inputSchema) ? { inputSchema } : {}),
        ...(isJsonObject(annotations) ? { annotations } : {}),
      },
    ];
  });
}

/** Resource or prompt definitions as announced: each once, without those that have no name. */
export function announcedAs(
  list: 'resources' | 'prompts',
  definitions: readonly JsonObject[],
): readonly JsonObject[] {
  const key = list === 'resources' ? 'uri' : 'name';
  const named = new Map<string, JsonObject>();
  for (const definition of definitions) {
    const name = definition[key];
    if (typeof name !== 'string' || name === '' || named.has(name)) continue;
    if (list === 'prompts' && !isToolName(name)) continue;
    const known = ANNOUNCED.filter((member) => Object.hasOwn(definition, member));
    named.set(name, Object.fromEntries(known.map((member) => [member, definition[member] ?? null])));
  }
  return [...named.values()];
}
