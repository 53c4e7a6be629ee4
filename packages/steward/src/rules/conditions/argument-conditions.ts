import { foldText, isDisguised, lookalikesOf, parsePayloadPattern } from '@proffer/core/capability';
import {
  defined,
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  makeVisible,
  quote,
} from '@proffer/core/json';
import {
  listed,
  type Path,
  type Report,
  type Tree,
  treeToJson,
  type ValueReader,
  wanted,
} from '@proffer/reading';
import type { RuleAction } from '../rule-set.js';
import {
  equalTest,
  fieldJudge,
  hasOperators,
  own,
  readValue,
  reportNoPattern,
  reportOddTexts,
  show,
  type ValueTest,
} from '../values/index.js';
import type { Condition } from './condition.js';

/**
 * A quick check that rules out a condition before it is judged: the argument is not this value, or
 * does not start with this text. An argument that is itself in doubt (a list, an object, a path that
 * is not plain) rules out nothing.
 */
export type ArgumentKey =
  | { readonly name: string; readonly value: number | boolean | null }
  | { readonly name: string; readonly beginnings: Beginnings };

/** Every text that can match meets one of these. None is empty. */
export interface Beginnings {
  /** The text starts with this. */
  readonly plain: string;
  /** The folded text starts with this. Absent if text that only looks different does not match. */
  readonly folded?: string;
}

/** The key of an argument that must match a pattern; `undefined` if the pattern gives none. */
function patternKey(name: string, source: JsonValue, action: RuleAction): ArgumentKey | undefined {
  if (typeof source !== 'string') return valueKey(name, source);
  const plain = beforeStar(source);
  if (action === 'allow') return plain === '' ? undefined : { name, beginnings: { plain } };
  // For a rule that denies, `/etc` itself is in `/etc/**`.
  const folded = beforeStar(foldText(source).replace(/\/\*\*$/, ''));
  return plain === '' || folded === '' ? undefined : { name, beginnings: { plain, folded } };
}

/** The key of an argument that must equal a value. */
function equalKey(name: string, source: JsonValue): ArgumentKey | undefined {
  if (typeof source !== 'string') return valueKey(name, source);
  const folded = foldText(source);
  return source === '' || folded === '' ? undefined : { name, beginnings: { plain: source, folded } };
}

/** The key that leaves the fewest calls: a value, else the longest prefix. */
export function narrowestKey(keys: readonly ArgumentKey[]): ArgumentKey | undefined {
  const width = (key: ArgumentKey) =>
    'value' in key ? Number.POSITIVE_INFINITY : key.beginnings.plain.length;
  return keys.toSorted((one, other) => width(other) - width(one))[0];
}

function valueKey(name: string, source: JsonValue): ArgumentKey | undefined {
  if (typeof source === 'string' || isJsonArray(source) || isJsonObject(source)) return undefined;
  return { name, value: source };
}

function beforeStar(pattern: string): string {
  const star = pattern.indexOf('*');
  return star === -1 ? pattern : pattern.slice(0, star);
}

/** Conditions on arguments, by name, each with its source text. */
export type ArgumentPatterns = ReadonlyMap<string, { readonly source: JsonValue; readonly tree: Tree }>;

/** Operators in the place of argument names would be taken for names. */
const MISPLACED = new Set(['not', 'anyOf', 'allOf', 'oneOf']);

/** A section with argument names as keys, at least one. */
export const readArguments: ValueReader<ArgumentPatterns> = (tree, path, report) => {
  if (tree.kind !== 'map' || tree.entries.size === 0) {
    return wanted(tree, path, report, 'names of arguments with what they must be');
  }
  for (const [name, { keyAt }] of tree.entries) {
    if (!MISPLACED.has(name)) continue;
    const message = `${quote(name)} is used as an argument name; write NAME: { not: … } or NAME: { anyOf: … }.`;
    report(keyAt, formatPath([...path, name]), message);
  }
  const named = [...tree.entries].filter(([name]) => !MISPLACED.has(name));
  return new Map(named.map(([name, { value }]) => [name, { source: treeToJson(value), tree: value }]));
};

/** One condition per argument: a pattern (O-8), or operators. */
export function argumentConditions(
  patterns: ArgumentPatterns,
  action: RuleAction,
  path: Path,
  report: Report,
): readonly Condition[] {
  return Array.from(patterns).flatMap(([name, { source, tree }]): readonly Condition[] => {
    const at = [...path, name];
    if (hasOperators(tree)) {
      const test = readValue(tree, at, report);
      return test === undefined ? [] : [testCondition(name, test)];
    }
    reportOddTexts(tree, at, report);
    return [patternCondition({ name, source, tree, action }, at, report)];
  });
}

/**
 * Holds if an argument matches a pattern. In a rule that does not allow, an argument that could be
 * mistaken for a match is in doubt.
 */
function patternCondition(
  written: {
    readonly name: string;
    readonly source: JsonValue;
    readonly tree: Tree;
    readonly action: RuleAction;
  },
  path: Path,
  report: Report,
): Condition {
  const { name, source, tree, action } = written;
  const pattern = { [name]: source };
  const field = formatPath(path.slice(0, -1));
  const narrow = parsePayloadPattern(pattern, field, 'narrow');
  const wide = action === 'allow' ? undefined : parsePayloadPattern(pattern, field, 'wide');
  if (!narrow.ok) reportNoPattern(narrow.refusal, tree, path, report);
  return {
    about: formatPath(['arguments', name]),
    expected: show(source),
    ...keyed(patternKey(name, source, action)),
    judge: ({ arguments: given }) => {
      if (narrow.ok && narrow.value(given)) {
        const isOpen = action === 'allow' && typeof source === 'string' && /[/\\]/.test(source);
        const value = own(given, name);
        return isOpen && typeof value === 'string' && isDisguised(value) ? 'doubt' : 'yes';
      }
      return wide?.ok === true && wide.value(given) ? 'doubt' : 'no';
    },
    found: foundFor(name),
  };
}

/** Holds if an argument passes the test. */
export function testCondition(name: string, test: ValueTest): Condition {
  const judge = fieldJudge(name, test);
  return {
    about: formatPath(['arguments', name]),
    expected: test.expected,
    judge: ({ arguments: given }) => judge(given),
    found: foundFor(name),
  };
}

/**
 * Holds if each of these arguments is exactly this value, asterisks included; in doubt if it only
 * looks different.
 */
export function equalConditions(values: ArgumentPatterns): readonly Condition[] {
  return Array.from(values, ([name, { source }]): Condition => {
    return { ...testCondition(name, equalTest(source)), ...keyed(equalKey(name, source)) };
  });
}

/** Holds if the call has no arguments besides those named. */
export function noOtherArguments(names: ReadonlySet<string>): Condition {
  const others = (given: JsonObject) =>
    Object.keys(given).filter((key) => !names.has(key) && given[key] !== undefined);
  return {
    about: 'noOtherArguments',
    expected: names.size === 0 ? 'no arguments' : `no arguments but ${listed(names)}`,
    judge: ({ arguments: given }) => (others(given).length === 0 ? 'yes' : 'no'),
    found: ({ arguments: given }) => {
      const found = others(given);
      return found.length === 0 ? 'none' : makeVisible(listed(found).slice(0, 200));
    },
  };
}

function keyed(key: ArgumentKey | undefined): Pick<Condition, 'key'> {
  return defined({ key });
}

/** The value of an argument in a call, and other values it may be taken for. */
function foundFor(name: string): Condition['found'] {
  const lookalikesIn = lookalikesOf([name]);
  return ({ arguments: given }) => {
    const besides = lookalikesIn(given).map(({ key }) => `${quote(key)} ${show(given[key])}`);
    const shown = show(own(given, name));
    return besides.length === 0 ? shown : `${shown}, and ${listed(besides.slice(0, MAX_SHOWN))}`;
  };
}

const MAX_SHOWN = 3;
