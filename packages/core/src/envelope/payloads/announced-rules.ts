import { isJsonArray, type JsonValue } from '../../json/json.js';
import { type Fault, fieldFault } from '../fault.js';
import { checkFilledText, checkObject, checkOptional, checkWord } from '../field-checks.js';
import type { PayloadCheck } from './payload-check.js';

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
