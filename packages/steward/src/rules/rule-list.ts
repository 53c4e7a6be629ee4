import { foldName, foldText, isDoubtfulPath, lookalikesOf } from '@proffer/core/capability';
import { type JsonObject, type JsonValue } from '@proffer/core/json';
import type { Beginnings } from './conditions/argument-conditions.js';
import type { Rule } from './rule-set.js';

/** Rules in file order, indexed by the value or prefix their arguments must have. */
export interface RuleList {
  readonly all: readonly Rule[];
  /** The rules that every call must be tested against. */
  readonly unkeyed: readonly Rule[];
  readonly byArgument: ReadonlyMap<string, KeyedRules>;
  /**
   * Whether a call has an argument that may be taken for one of the indexed ones, so that the keys do
   * not apply.
   */
  readonly isInDoubt: (given: JsonObject) => boolean;
}

/** The rules whose key is about one argument. */
interface KeyedRules {
  readonly byValue: Map<JsonValue, Rule[]>;
  readonly byPlain: RulesByBeginning;
  readonly byFolded: RulesByBeginning;
}

interface RulesByBeginning {
  /** The length of the longest prefix. */
  readonly lengths: Set<number>;
  readonly rules: Map<string, Rule[]>;
}

/** With so few rules, testing is faster than looking up keys. */
const FEW = 8;

/** Indexes rules, once per rule set. */
export function createRuleList(rules: readonly Rule[]): RuleList {
  const byArgument = new Map<string, KeyedRules>();
  const unkeyed: Rule[] = [];
  for (const rule of rules) {
    const { key } = rule;
    if (key === undefined) {
      unkeyed.push(rule);
      continue;
    }
    const keyed = byArgument.get(key.name) ?? createKeyedRules();
    byArgument.set(key.name, keyed);
    if ('value' in key) add(keyed.byValue, key.value, rule);
    else addBeginnings(keyed, key.beginnings, rule);
  }
  return { all: rules, unkeyed, byArgument, isInDoubt: doubtAbout([...byArgument.keys()]) };
}

/** All rules of a list that may match a call with these arguments, in file order. */
export function candidatesIn(list: RuleList, given: JsonObject): Iterable<Rule> {
  const { all, unkeyed, byArgument } = list;
  if (all.length < FEW || byArgument.size === 0 || list.isInDoubt(given)) return all;
  const keyed = new Set<Rule>();
  for (const [name, rules] of byArgument) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) continue;
    if (isDoubtful(value)) return all;
    for (const rule of rulesFor(rules, value)) keyed.add(rule);
  }
  return mergeRules(
    [...keyed].sort((one, other) => one.index - other.index),
    unkeyed,
  );
}

/** Merges two lists, in file order. */
export function mergeRules(some: Iterable<Rule>, others: Iterable<Rule>): Iterable<Rule> {
  if (isEmpty(others)) return some;
  return isEmpty(some) ? others : merge(some, others);
}

function isEmpty(rules: Iterable<Rule>): boolean {
  return Array.isArray(rules) && rules.length === 0;
}

function* merge(some: Iterable<Rule>, others: Iterable<Rule>): Generator<Rule> {
  const left = some[Symbol.iterator]();
  const right = others[Symbol.iterator]();
  let one = left.next();
  let other = right.next();
  while (one.done !== true || other.done !== true) {
    if (other.done === true || (one.done !== true && one.value.index < other.value.index)) {
      yield one.value;
      one = left.next();
    } else {
      yield other.value;
      other = right.next();
    }
  }
}

function doubtAbout(names: readonly string[]): (given: JsonObject) => boolean {
  // If the rules themselves use names that may be confused, every call is in doubt.
  if (new Set(names.map(foldName)).size < names.length) return () => true;
  const lookalikesIn = lookalikesOf(names);
  return (given) => lookalikesIn(given).length > 0;
}

/** Such an argument may match whatever the key says. */
function isDoubtful(value: JsonValue): boolean {
  return typeof value === 'string' ? isDoubtfulPath(value) : typeof value === 'object' && value !== null;
}

function* rulesFor({ byValue, byPlain, byFolded }: KeyedRules, value: JsonValue): Generator<Rule> {
  if (typeof value !== 'string') return yield* byValue.get(value) ?? [];
  yield* rulesBeginning(byPlain, value);
  if (byFolded.rules.size > 0) yield* rulesBeginning(byFolded, foldText(value));
}

function* rulesBeginning({ lengths, rules }: RulesByBeginning, text: string): Generator<Rule> {
  for (const length of lengths) {
    if (length <= text.length) yield* rules.get(text.slice(0, length)) ?? [];
  }
}

function createKeyedRules(): KeyedRules {
  return { byValue: new Map(), byPlain: createByBeginning(), byFolded: createByBeginning() };
}

function createByBeginning(): RulesByBeginning {
  return { lengths: new Set(), rules: new Map() };
}

function addBeginnings({ byPlain, byFolded }: KeyedRules, { plain, folded }: Beginnings, rule: Rule): void {
  byPlain.lengths.add(plain.length);
  add(byPlain.rules, plain, rule);
  if (folded === undefined) return;
  byFolded.lengths.add(folded.length);
  add(byFolded.rules, folded, rule);
}

function add<Key>(map: Map<Key, Rule[]>, key: Key, rule: Rule): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
}
