import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json.js';
import { type Fault, fieldFault } from '../fault.js';
import { checkFilledText, checkToolName } from '../field-checks.js';
import type { ServedList } from '../kind.js';
import type { PayloadCheck } from './payload-check.js';

const MAX_SERVED = 10_000;

/**
 * `mcpx.announce.LIST` (O-26): `{ [list]: definitions }`, at most 10,000, each with a unique name; a
 * resource's name is its URI. Names of tools and prompts must be visible, like those of participants.
 */
export function checkAnnouncement(list: ServedList): PayloadCheck {
  const field = `payload.${list}`;
  const key = list === 'resources' ? 'uri' : 'name';
  return ({ payload }) => checkDefinitions(field, payload[list], key);
}

function checkDefinitions(field: string, found: JsonValue | undefined, key: string): Fault | undefined {
  if (!isJsonArray(found)) return fieldFault(field, found, 'an array of definitions');
  if (found.length > MAX_SERVED) return fieldFault(field, found, `at most ${MAX_SERVED} definitions`);
  const seen = new Set<JsonValue | undefined>();
  for (const [index, definition] of found.entries()) {
    const at = `${field}[${index}]`;
    if (!isJsonObject(definition)) return fieldFault(at, definition, `an object with a ${key}`);
    const name = definition[key];
    const check = key === 'uri' ? checkFilledText : checkToolName;
    const unnamed = check(`${at}.${key}`, name);
    if (unnamed !== undefined) return unnamed;
    if (seen.has(name)) return fieldFault(`${at}.${key}`, name, `each ${key} once`);
    seen.add(name);
  }
  return undefined;
}
