import {
  canonicalJson,
  describe,
  formatPath,
  isDisguised,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  lookalikesOf,
  looksLike,
  makeVisible,
  parsePayloadPattern,
  quote,
  sameJson,
} from '@proffer/core';
import { listed, type Path, type Report, type Tree, treeToJson } from '@proffer/reading';
import { type ArgumentKey, equalKey, patternKey } from './argument-key.js';
import type { Condition } from './condition.js';
import { type Reader, wanted } from './readers.js';
import type { RuleAction } from './rule-set.js';

/** Argument patterns by name, each with what it is written as. */
export type ArgumentPatterns = ReadonlyMap<string, { readonly source: JsonValue; readonly tree: Tree }>;

/** A section with the names of arguments as keys, at least one. */
export const readArguments: Reader<ArgumentPatterns> = (tree, path, report) => {
  if (tree.kind !== 'map' || tree.entries.size === 0) {
    return wanted(tree, path, report, 'names of arguments with what they must be');
  }
  return new Map(
    Array.from(tree.entries, ([name, { value }]) => [name, { source: treeToJson(value), tree: value }]),
  );
};

/**
 * One condition for each argument (O-8's payload patterns). In a rule that does not allow, an argument
 * that cannot be told apart from what the pattern names is in doubt.
 */
export function argumentConditions(
  patterns: ArgumentPatterns,
  action: RuleAction,
  path: Path,
  report: Report,
): readonly Condition[] {
  return Array.from(patterns, ([name, { source, tree }]): Condition => {
    const pattern = { [name]: source };
    const narrow = parsePayloadPattern(pattern, formatPath(path), 'narrow');
    const wide = action === 'allow' ? undefined : parsePayloadPattern(pattern, formatPath(path), 'wide');
    if (!narrow.ok) {
      const { found, expected } = narrow.refusal.details;
      report(
        tree.at,
        formatPath([...path, name]),
        `${text(found)} is no pattern; wanted: ${text(expected)}.`,
      );
    }
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
  });
}

/** Holds when each of these arguments is exactly this value, stars and all; in doubt when it only looks different. */
export function equalConditions(values: ArgumentPatterns): readonly Condition[] {
  return Array.from(values, ([name, { source }]): Condition => {
    const looksSame = typeof source === 'string' ? looksLike(source) : () => false;
    const mayBe = (value: JsonValue | undefined) =>
      value !== undefined && (sameJson(value, source) || looksSame(value));
    const lookalikesIn = lookalikesOf([name]);
    return {
      about: formatPath(['arguments', name]),
      expected: `exactly ${show(source)}`,
      ...keyed(equalKey(name, source)),
      judge: ({ arguments: given }) => {
        const lookalikes = lookalikesIn(given);
        const value = own(given, name);
        if (lookalikes.length === 0 && sameJson(value, source)) return 'yes';
        return mayBe(value) || lookalikes.some(({ key }) => mayBe(given[key])) ? 'doubt' : 'no';
      },
      found: foundFor(name),
    };
  });
}

/** Holds when the call has no argument besides those named. */
export function noOtherArguments(names: ReadonlySet<string>): Condition {
  const others = (given: JsonObject) =>
    Object.keys(given).filter((key) => !names.has(key) && given[key] !== undefined);
  return {
    about: 'noOtherArguments',
    expected: names.size === 0 ? 'no arguments' : `no arguments but ${listed(names)}`,
    judge: ({ arguments: given }) => (others(given).length === 0 ? 'yes' : 'no'),
    found: ({ arguments: given }) => makeVisible(listed(others(given)).slice(0, 200)),
  };
}

function keyed(key: ArgumentKey | undefined): Pick<Condition, 'key'> {
  return key === undefined ? {} : { key };
}

/** Only what the object itself has: a name such as `constructor` comes from whoever made the call. */
function own(given: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

/** What a call has for an argument, and what it may be taken for besides. */
function foundFor(name: string): Condition['found'] {
  const lookalikesIn = lookalikesOf([name]);
  return ({ arguments: given }) => {
    const besides = lookalikesIn(given).map(({ key }) => `${quote(key)} ${show(given[key])}`);
    const shown = show(own(given, name));
    return besides.length === 0 ? shown : `${shown}, and ${listed(besides.slice(0, MOST_SHOWN))}`;
  };
}

const MOST_SHOWN = 3;

function show(value: JsonValue | undefined): string {
  if (!isJsonObject(value) && !isJsonArray(value)) return describe(value);
  const shown = makeVisible(canonicalJson(value));
  return shown.length <= 120 ? shown : describe(value);
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : describe(value);
}
