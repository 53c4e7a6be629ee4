import { subjectOf } from '../../envelope/kind.js';
import type { HashText } from '../../hash/sha256.js';
import { quote } from '../../json/describe.js';
import { objectOf, textOf } from '../../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import type { SealedRecord } from '../../record/record.js';
import { hideValues } from '../../record/salted.js';
import { failure, type Result, refuse, success } from '../../refusal/refusal.js';
import { allOf } from '../../words/voice.js';
import { type HideableValue, hideableValues } from './hideable-values.js';

/** What gateways find out, by name, that are ids which somebody chose, or names that an operator gave. */
const CHOSEN = new Set([
  'id',
  'grant',
  'runsBy',
  'counter',
  'answers',
  'session',
  'commitment',
  'policy',
  'entry',
  'waitsFor',
  'dependencies',
  'dependency',
]);

/** How many texts are looked for in how many records, multiplied: about a second's work for a gateway. */
const MOST_SOUGHT = 20_000_000;

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
  if (missing !== undefined) {
    const has = new Set(found.flatMap(({ hideable }) => hideable.flatMap(({ argument }) => argument ?? [])));
    const what = `The call has no argument ${quote(missing)}; it has ${has.size === 0 ? 'none' : allOf([...has].map(quote))}.`;
    return failure(refuse('cannot_hide', what, { argument: missing }));
  }
  const texts = [...new Set(hidden.flatMap(({ value }) => textsIn(value, isLongText)))];
  if (texts.length * records.length > MOST_SOUGHT) {
    const what = `The hidden values are ${texts.length} texts: too many to look for in ${records.length} records.`;
    return failure(refuse('cannot_hide', what, { texts: texts.length, records: records.length }));
  }
  const mentions = mentionsOneOf(texts);
  const mentionsLong = mentionsOneOf(texts.filter(isLongText));
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
      const what = `Nothing in record ${record.version} of ${quote(record.stream)} can be hidden: evidence.hideable was not set when it was written. It has to be from when a call is proposed until it is over.`;
      return failure(refuse('cannot_hide', what, { stream: record.stream, version: record.version }));
    }
    const open = places.length === 0 ? record : hideValues(record as Shown & JsonObject, places, hash);
    if (mentionsLong(chosenIds(record))) {
      const what = `An id or a name in record ${record.version} of ${quote(record.stream)} mentions a hidden value, and ids and names cannot be hidden.`;
      return failure(refuse('cannot_hide', what, { stream: record.stream, version: record.version }));
    }
    shown.push(open);
  }
  return success(shown);
}

function isWanted({ argument }: HideableValue, wanted: ReadonlySet<string>): boolean {
  return argument !== undefined && wanted.has(argument);
}

type Mentions = (value: JsonValue) => boolean;

/** Whether a text in a value mentions one of these, however it is spaced and punctuated. */
function mentionsOneOf(texts: readonly string[]): Mentions {
  const sought = texts.map(wordsOf);
  return (value) => {
    const said = textsIn(value).map(wordsOf);
    return sought.some((one) => said.some((other) => mentionsWords(other, one)));
  };
}

/** The words of a text, with a space around each, and the same without spaces. */
interface Words {
  readonly words: string;
  readonly joined: string;
}

function wordsOf(text: string): Words {
  const found =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return { words: ` ${found.join(' ')} `, joined: found.join('') };
}

/** Short texts are looked for as words of their own: they are in others by chance. Not every script has spaces. */
function mentionsWords(said: Words, { words, joined }: Words): boolean {
  if (said.words.includes(words)) return true;
  return (isLongText(joined) || /[^\d a-z]/.test(joined)) && said.joined.includes(joined);
}

/** What cannot be hidden, and may mention a value: ids that a sender or somebody else chose, and names of an operator. */
function chosenIds({ envelope, facts = {} }: SealedRecord): JsonValue {
  const { id = '', correlationId = '', context = '' } = envelope;
  const payload = objectOf(envelope['payload']);
  const { id: request = '', jsonrpc = '', method, params } = payload;
  const subject = subjectOf(textOf(method), params);
  // Who announced a tool or prompt chose its name, whatever the arguments are.
  const isNamed = subject?.list === 'tools' || subject?.list === 'prompts';
  const [, ...inKind] = textOf(envelope['kind']).split(':');
  const called = isNamed ? [] : [subject?.name ?? '', inKind.join(':')];
  return [id, correlationId, context, request, jsonrpc, called, chosenIn(facts)];
}

function chosenIn(facts: JsonObject): JsonValue {
  return Object.entries(facts).flatMap(([name, value = null]) => {
    if (CHOSEN.has(name)) return [value];
    return isJsonObject(value) ? [chosenIn(value)] : [];
  });
}

/** Shorter ones, and numbers as short, are in ids by chance. */
function isLongText(text: string): boolean {
  return text.length > 3;
}

/** The texts and numbers in a value. @param withName - of which of its members' names, too */
function textsIn(value: JsonValue, withName = (_name: string) => true): readonly string[] {
  if (typeof value === 'number' || typeof value === 'string') return value === '' ? [] : [String(value)];
  if (isJsonArray(value)) return value.flatMap((item) => textsIn(item, withName));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member = null]) =>
    (withName(name) ? [name] : []).concat(textsIn(member, withName)),
  );
}
