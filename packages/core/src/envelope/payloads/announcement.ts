import { isJsonArray, isJsonObject, type JsonValue } from '../../json/json.js';
import {
  checkFilledText,
  checkObject,
  checkOptional,
  checkToolName,
  checkWord,
  type Fault,
  fieldFault,
} from '../field-checks.js';
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

/** Who decides by rules. */
export const RULE_OWNERS: readonly string[] = ['guard', 'hook', 'steward'];

/**
 * The maximum length of the rules as JSON, in characters: a space keeps those of every participant in
 * memory (I-7).
 */
export const MAX_RULES_LENGTH = 65_536;

const LONGEST_TEXT = 1_000;

/**
 * `mcpx.announce.rules`: `{ owner, source, version, count, rules?, lines? }`, the rules that a
 * participant decides by. `rules` is their file's content as data, without its comments; absent if
 * that is too long. `lines` has each rule's line in the file.
 */
export const checkAnnouncedRules: PayloadCheck = ({ payload }) =>
  checkWord('payload.owner', payload['owner'], RULE_OWNERS) ??
  checkShort('payload.source', payload['source']) ??
  checkShort('payload.version', payload['version']) ??
  checkCount('payload.count', payload['count']) ??
  checkOptional(checkRules, 'payload.rules', payload['rules']) ??
  checkOptional(checkLines(payload['count']), 'payload.lines', payload['lines']);

function checkShort(field: string, found: JsonValue | undefined): Fault | undefined {
  if (typeof found === 'string' && found.length > LONGEST_TEXT)
    return fieldFault(field, found, `at most ${LONGEST_TEXT} characters`);
  return checkFilledText(field, found);
}

function checkCount(field: string, found: JsonValue | undefined): Fault | undefined {
  const isCount = Number.isSafeInteger(found) && Number(found) >= 0;
  return isCount ? undefined : fieldFault(field, found, 'a whole number');
}

function checkRules(field: string, found: JsonValue | undefined): Fault | undefined {
  const wrong = checkObject(field, found);
  if (wrong !== undefined || JSON.stringify(found).length <= MAX_RULES_LENGTH) return wrong;
  return fieldFault(field, found, `at most ${MAX_RULES_LENGTH} characters of JSON`);
}

const checkLines =
  (count: JsonValue | undefined) =>
  (field: string, found: JsonValue | undefined): Fault | undefined => {
    const isList = isJsonArray(found) && found.length === count && found.every(Number.isSafeInteger);
    return isList ? undefined : fieldFault(field, found, 'the line of each rule, as whole numbers');
  };
