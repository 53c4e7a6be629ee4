import { subjectOf } from '../../envelope/kind.js';
import { canonicalJson } from '../../json/canonical.js';
import { textOf } from '../../json/fields.js';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/json.js';
import type { RecordContent } from '../../record/record.js';
import { placeOf, type Salts } from '../../record/salted.js';

/** A value of a record that can be left out of what is shown to others. */
export interface HideableValue {
  readonly place: string;
  readonly value: JsonValue;
  /** The argument that it is; absent for what may only give one away. */
  readonly argument?: string;
  /** Whether it says nothing about arguments unless somebody mentions them in it. */
  readonly isRemark: boolean;
  /**
   * Equal values of this name in a proposal have the same salt, so that it shows that what was approved is what ran.
   * Absent: its salt is its own.
   */
  readonly name?: string;
}

/** What a message about a call has besides what can be hidden. */
const CALLED = new Set(['jsonrpc', 'id', 'method', 'params']);

/** What is called, with a method that calls something. */
const SUBJECTS = new Set(['name', 'uri']);

/** What people say, and what they ask for besides the arguments. */
const REMARKS = new Set([
  'reason',
  'message',
  'status',
  'code',
  'ttl',
  'targeting',
  'executor',
  'depends_on',
]);

const DIGESTS = new Set(['digest', 'proposedDigest', 'ranDigest', 'call']);

/** What gateways find out that depends on arguments. */
const FOUND = new Set([...DIGESTS, 'fingerprint', 'amendment', 'argumentFaults', 'batch', 'agreement']);

/** What an agreement says about a call; the rest is about the session. */
const AGREED = new Set(['call', 'about', 'reason', 'commitmentHash']);

/** The values that can be left out of the record of a proposal: its arguments, and all that could give one away. */
export function hideableValues({ envelope, facts = {} }: RecordContent): readonly HideableValue[] {
  if (typeof facts['proposal'] !== 'string') return [];
  const { payload } = envelope;
  return [
    ...(isJsonObject(payload) ? valuesInPayload(payload, '/envelope/payload') : []),
    ...membersOf(facts, '/facts').flatMap(valuesInFact),
  ];
}

/** Adds salts to a record for the values that can be hidden. @param saltOf - called with each, and its canonical text */
export function withSalts(
  content: RecordContent,
  saltOf: (hideable: HideableValue, text: string) => string,
): RecordContent {
  const hideable = hideableValues(content);
  if (hideable.length === 0) return content;
  const salts: Salts = Object.fromEntries(
    hideable.map((one) => [one.place, saltOf(one, canonicalJson(one.value))]),
  );
  return Object.assign({}, content, { salts });
}

interface Member {
  readonly name: string;
  readonly value: JsonValue;
  readonly place: string;
}

function membersOf(whole: JsonValue | undefined, at: string): readonly Member[] {
  if (!isJsonObject(whole) && !isJsonArray(whole)) return [];
  return Object.entries(whole)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ({ name, value: value as JsonValue, place: placeOf(at, name) }));
}

function valuesInPayload(payload: JsonObject, at: string): readonly HideableValue[] {
  const { method, params } = payload;
  const subject = subjectOf(textOf(method), params)?.name;
  const beside = membersOf(payload, at).filter(({ name }) => !CALLED.has(name));
  return [...beside.map(valueOf), ...valuesInParams(params, placeOf(at, 'params'), subject)];
}

function valuesInParams(
  params: JsonValue | undefined,
  at: string,
  subject: string | undefined,
): readonly HideableValue[] {
  return membersOf(params, at).flatMap((member) => {
    const { name, value, place } = member;
    if (name === 'arguments' && isJsonObject(value))
      return membersOf(value, place).map((one) => ({
        place: one.place,
        value: one.value,
        argument: one.name,
        isRemark: false,
        name: `argument ${one.name}`,
      }));
    if (!SUBJECTS.has(name)) return [valueOf(member)];
    return value === subject ? [] : [{ place, value, isRemark: true }];
  });
}

function valuesInFact(fact: Member): readonly HideableValue[] {
  if (!FOUND.has(fact.name)) return [];
  if (typeof fact.value === 'string') return [valueOf(fact)];
  const inside = membersOf(fact.value, fact.place);
  return inside
    .filter(({ name }) => (fact.name === 'agreement' ? AGREED.has(name) : name !== 'id'))
    .map(valueOf);
}

function valueOf({ name, value, place }: Member): HideableValue {
  const isRemark = REMARKS.has(name);
  return { place, value, isRemark, ...(DIGESTS.has(name) ? { name: 'digest' } : {}) };
}
