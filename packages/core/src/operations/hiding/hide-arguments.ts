import type { HashText } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import type { SealedRecord } from '../../record/record.js';
import { hideValues } from '../../record/salted.js';
import { failure, type Result, refuse, success } from '../../refusal/refusal.js';
import { type HideableValue, hideableValues } from './hideable-values.js';

/** The shortest text that is looked for in others: a shorter one is in too many by chance. */
const SHORTEST_MENTION = 3;

/**
 * Hides arguments in records of a proposal: their values, everything that is computed from them, and every remark that
 * mentions one. Refuses if that is not possible, or would not hide them.
 *
 * @param names - of arguments
 */
export function hideArguments<Shown extends SealedRecord>(
  records: readonly Shown[],
  names: readonly string[],
  hash: HashText,
): Result<readonly Shown[]> {
  const wanted = new Set(names);
  const found = records.map((record) => ({ record, hideable: hideableValues(record) }));
  const hidden = found.flatMap(({ hideable }) => hideable.filter((one) => isWanted(one, wanted)));
  const missing = names.find((name) => hidden.every(({ argument }) => argument !== name));
  if (missing !== undefined)
    return failure(
      refuse('cannot_hide', `The call has no argument ${quote(missing)}.`, { argument: missing }),
    );
  const texts = [...new Set(hidden.flatMap(({ value }) => textsIn(value, true)))];
  const mentions = mentionsOneOf(texts);
  const shown: Shown[] = [];
  for (const { record, hideable } of found) {
    const places = hideable
      .filter((one) =>
        one.argument === undefined
          ? !one.isRemark || mentions(one.value)
          : isWanted(one, wanted) || mentions(one.value),
      )
      .map(({ place }) => place);
    const unsalted = places.find((place) => record.salts?.[place] === undefined);
    if (unsalted !== undefined) {
      const what = `Record ${record.version} of ${quote(record.stream)} was written without salts, so nothing in it can be hidden: the gateway needs evidence.hideable when a call is proposed.`;
      return failure(refuse('cannot_hide', what, { stream: record.stream, version: record.version }));
    }
    const open = places.length === 0 ? record : hideValues(record as Shown & JsonObject, places, hash);
    if (mentions(chosenIds(record), isLongText)) {
      const what = `An id or the context in record ${record.version} of ${quote(record.stream)} mentions a hidden value, and ids cannot be hidden.`;
      return failure(refuse('cannot_hide', what, { stream: record.stream, version: record.version }));
    }
    shown.push(open);
  }
  return success(shown);
}

function isWanted({ argument }: HideableValue, wanted: ReadonlySet<string>): boolean {
  return argument !== undefined && wanted.has(argument);
}

type Mentions = (value: JsonValue, which?: (text: string) => boolean) => boolean;

/** Whether a text in a value mentions one of these, as a word of its own. */
function mentionsOneOf(texts: readonly string[]): Mentions {
  const words = texts.map((text) => ({ text, word: wordOf(text) }));
  return (value, which = () => true) => {
    const said = textsIn(value);
    return words.some(({ text, word }) => which(text) && said.some((one) => word.test(one)));
  };
}

function wordOf(text: string): RegExp {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'iu');
}

/** What a sender chooses besides the payload. */
function chosenIds({ envelope: { id = '', correlationId = '', context = '' } }: SealedRecord): JsonValue {
  return [id, correlationId, context];
}

/** Numbers and short texts are in times and versions by chance. */
function isLongText(text: string): boolean {
  return text.length > SHORTEST_MENTION && !/^[\d.,-]+$/.test(text);
}

/** The texts and numbers in a value. @param withNames - those of members, too */
function textsIn(value: JsonValue, withNames = false): readonly string[] {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return value.trim().length < SHORTEST_MENTION ? [] : [value.trim()];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item, withNames));
  if (!isJsonObject(value)) return [];
  const found: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (withNames) found.push(...textsIn(name));
    found.push(...textsIn(member as JsonValue, withNames));
  }
  return found;
}
