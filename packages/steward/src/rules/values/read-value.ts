import { createRequire } from 'node:module';
import type { Refusal } from '@proffer/core';
import { foldText, isDisguised, isDoubtfulPath } from '@proffer/core/capability';
import { describe, formatPath, isJsonArray, quote } from '@proffer/core/json';
import {
  listed,
  type MapTree,
  oddText,
  type Path,
  type Report,
  readFlag,
  type Tree,
  treeToJson,
  type ValueReader,
  wanted,
} from '@proffer/reading';
import type { RE2JS } from 're2js';
import { fieldsTest, itemsTest } from './fields.js';
import { isOperator, OPERATORS, type Operator, operatorMeantBy } from './operator-names.js';
import { equalTest, patternTest } from './texts.js';
import {
  allOf,
  anyOf,
  COMPARISONS,
  comparisonTest,
  isEmptyRange,
  opposite,
  rangeTest,
  type ValueTest,
} from './value-test.js';

/** Whether an argument's condition contains operators: every object is one of operators. */
export function hasOperators(tree: Tree): boolean {
  return tree.kind === 'map' || (tree.kind === 'list' && tree.items.some(hasOperators));
}

/**
 * A condition on a value: a text, number or list as a pattern, or an object of operators. An object of
 * anything else is an error: taken literally, a misspelt operator would never match.
 */
export const readValue: ValueReader<ValueTest> = (tree, path, report) => {
  if (tree.kind === 'map') return readOperators(tree, path, report);
  if (tree.kind === 'scalar' || !hasOperators(tree)) return readPattern(tree, path, report);
  const tests = tree.items.map((item, index) => readValue(item, [...path, index], report));
  return tests.every((test) => test !== undefined) ? itemsTest(tests) : undefined;
};

/** Reports every text of a pattern that would be taken literally although it looks like an operator. */
export function reportOddTexts(tree: Tree, path: Path, report: Report): void {
  if (tree.kind === 'list') {
    for (const [index, item] of tree.items.entries()) reportOddTexts(item, [...path, index], report);
  } else if (tree.kind === 'scalar' && typeof tree.value === 'string') {
    const odd = oddText(tree.value);
    if (odd === undefined) return;
    const message = `${describe(tree.value)} looks like ${odd.looksLike}, but only this exact text would match. If that is what you mean, write { equals: … }.`;
    report(tree.at, formatPath(path), message, odd.suggestion);
  }
}

const readPattern: ValueReader<ValueTest> = (tree, path, report) => {
  reportOddTexts(tree, path, report);
  const test = patternTest(treeToJson(tree), formatPath(path));
  return test.ok ? test.value : reportNoPattern(test.refusal, tree, path, report);
};

/** Reports why something is not a pattern. */
export function reportNoPattern({ details }: Refusal, tree: Tree, path: Path, report: Report): undefined {
  const [found, expected] = [details['found'], details['expected']].map((text) =>
    typeof text === 'string' ? text : describe(text),
  );
  report(tree.at, formatPath(path), `${found} is not a pattern; expected ${expected}.`);
}

const readFields: ValueReader<ValueTest> = (tree, path, report) => {
  if (tree.kind !== 'map' || tree.entries.size === 0) return wanted(tree, path, report, 'names of fields');
  const tests = new Map<string, ValueTest>();
  for (const [name, { value }] of tree.entries) {
    const test = readValue(value, [...path, name], report);
    if (test !== undefined) tests.set(name, test);
  }
  return tests.size === tree.entries.size ? fieldsTest(tests) : undefined;
};

/** All operators of a section must hold. */
function readOperators(tree: MapTree, path: Path, report: Report): ValueTest | undefined {
  if (tree.entries.size === 0) return wanted(tree, path, report, 'operators', '{ equals: {} }');
  const tests: ValueTest[] = [];
  for (const [name, { keyAt, value }] of tree.entries) {
    const at = [...path, name];
    if (!isOperator(name)) {
      const message = `Unknown operator ${quote(name)}. The operators are ${listed(OPERATORS)}. If the argument is an object with this field, put the field under fields.`;
      report(keyAt, formatPath(at), message, operatorMeantBy(name) ?? `fields: { ${name}: … }`);
      continue;
    }
    const test = READERS[name](value, at, report);
    if (test !== undefined) tests.push(test);
  }
  if (tests.length !== tree.entries.size) return undefined;
  if (isEmptyRange(boundsIn(tree))) {
    report(tree.at, formatPath(path), 'No number is within these bounds, so the rule would never match.');
    return undefined;
  }
  const [only] = tests;
  if (only !== undefined && tests.length === 1) return only;
  return {
    expected: tests.map(({ expected }) => expected).join(' and '),
    judge: (value) => allOf(tests, ({ judge }) => judge(value)),
  };
}

function boundsIn(tree: MapTree): ReadonlyMap<string, number> {
  const bounds = new Map<string, number>();
  for (const name of COMPARISONS) {
    const bound = tree.entries.get(name)?.value;
    if (bound?.kind === 'scalar' && typeof bound.value === 'number') bounds.set(name, bound.value);
  }
  return bounds;
}

const readNumber: ValueReader<number> = (tree, path, report) => {
  if (tree.kind === 'scalar' && typeof tree.value === 'number') return tree.value;
  return wanted(tree, path, report, 'a number');
};

const readRange: ValueReader<ValueTest> = (tree, path, report) => {
  const [from, to, ...more] =
    tree.kind === 'list' ? tree.items.map((item) => (item.kind === 'scalar' ? item.value : null)) : [];
  if (typeof from === 'number' && typeof to === 'number' && from <= to && more.length === 0) {
    return rangeTest([from, to]);
  }
  return wanted(tree, path, report, 'the first and the last number, such as [1, 10]');
};

const MAX_REGEX_LENGTH = 1024;

const readRegex: ValueReader<ValueTest> = (tree, path, report) => {
  const source = tree.kind === 'scalar' && typeof tree.value === 'string' ? tree.value : '';
  if (source === '' || source.length > MAX_REGEX_LENGTH) {
    return wanted(tree, path, report, `a regex of at most ${MAX_REGEX_LENGTH} characters, in quotes`);
  }
  try {
    return regexTest(source);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).replace(
      'error parsing regexp: ',
      '',
    );
    const known = 'Regexes use RE2 syntax, without lookaround and backreferences';
    report(tree.at, formatPath(path), `${describe(source)} is not a regex: ${why}. ${known}.`);
    return undefined;
  }
};

/** An absent value is in doubt: "not staging" says nothing about a call that names no environment. */
const readNot: ValueReader<ValueTest> = (tree, path, report) => {
  if (tree.kind === 'map' && tree.entries.has('present')) {
    return wanted(tree, path, report, '`present`, with no other operator', 'present: false');
  }
  const test = readValue(tree, path, report);
  if (test === undefined) return undefined;
  return {
    expected: `not ${test.expected}`,
    judge: (value) => {
      const verdict = opposite(test.judge(value));
      return value === undefined && verdict === 'yes' ? 'doubt' : verdict;
    },
  };
};

const readAnyOf: ValueReader<ValueTest> = (tree, path, report) => {
  if (tree.kind !== 'list' || tree.items.length === 0) {
    return wanted(tree, path, report, 'a list of at least one value');
  }
  const tests = tree.items.map((item, index) => readValue(item, [...path, index], report));
  if (!tests.every((test) => test !== undefined)) return undefined;
  return {
    expected: tests.map(({ expected }) => expected).join(' or '),
    judge: (value) => anyOf(tests, ({ judge }) => judge(value)),
  };
};

const readPresent: ValueReader<ValueTest> = (tree, path, report) => {
  const isWanted = readFlag(tree, path, report);
  if (isWanted === undefined) return undefined;
  return {
    expected: isWanted ? 'anything' : 'nothing',
    judge: (value) => ((value !== undefined) === isWanted ? 'yes' : 'no'),
  };
};

const readLength: ValueReader<ValueTest> = (tree, path, report) => {
  if (tree.kind === 'scalar') {
    const length = readNumber(tree, path, report);
    return length === undefined ? undefined : lengthTest(rangeTest([length, length]));
  }
  const allowed = new Set<string>([...COMPARISONS, 'between']);
  const isComparison = tree.kind === 'map' && [...tree.entries.keys()].every((key) => allowed.has(key));
  if (!isComparison || tree.entries.size === 0) {
    return wanted(tree, path, report, 'a number, or a comparison such as { lte: 100 }');
  }
  const test = readOperators(tree, path, report);
  return test === undefined ? undefined : lengthTest(test);
};

function wrapping(wrap: (test: ValueTest) => ValueTest): ValueReader<ValueTest> {
  return (tree, path, report) => {
    const test = readValue(tree, path, report);
    return test === undefined ? undefined : wrap(test);
  };
}

function comparing(comparison: (typeof COMPARISONS)[number]): ValueReader<ValueTest> {
  return (tree, path, report) => {
    const bound = readNumber(tree, path, report);
    return bound === undefined ? undefined : comparisonTest(comparison, bound);
  };
}

const READERS: Readonly<Record<Operator, ValueReader<ValueTest>>> = {
  gt: comparing('gt'),
  gte: comparing('gte'),
  lt: comparing('lt'),
  lte: comparing('lte'),
  between: readRange,
  equals: (tree) => equalTest(treeToJson(tree)),
  matches: readRegex,
  not: readNot,
  anyOf: readAnyOf,
  every: wrapping(everyTest),
  some: wrapping(someTest),
  present: readPresent,
  length: readLength,
  fields: readFields,
};

/** Holds for a list in which every item passes, including an empty one. Anything but a list is in doubt. */
function everyTest(item: ValueTest): ValueTest {
  return listTest(`a list in which every item is ${item.expected}`, (items) => allOf(items, item.judge));
}

/** Holds for a list in which some item passes. Anything but a list is in doubt. */
function someTest(item: ValueTest): ValueTest {
  return listTest(`a list in which some item is ${item.expected}`, (items) => anyOf(items, item.judge));
}

function listTest(
  expected: string,
  judge: (items: readonly Parameters<ValueTest['judge']>[0][]) => ReturnType<ValueTest['judge']>,
): ValueTest {
  return {
    expected,
    judge: (value) => {
      if (value === undefined) return 'no';
      return isJsonArray(value) ? judge(value) : 'doubt';
    },
  };
}

/**
 * Judges the number of characters in a text, or of items in a list. Anything without a length is in
 * doubt.
 */
function lengthTest(length: ValueTest): ValueTest {
  return {
    expected: `a text or a list whose length is ${length.expected}`,
    judge: (value) => {
      if (value === undefined) return 'no';
      if (isJsonArray(value)) return length.judge(value.length);
      return typeof value === 'string' ? length.judge(countCharacters(value)) : 'doubt';
    },
  };
}

/** Characters, not UTF-16 units: an emoji is one. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** For what is loaded when the first regex is needed: most rules have none. */
const require = createRequire(import.meta.url);

/** A regex that starts like a path is about paths, which can be written in more than one way. */
const PATH = /^\^?(?:\(\?:|\()*\^?(?:\\?\/|~|\\?\.{1,2}\\?\/|file:|[A-Za-z]:\\)/;

/**
 * Holds for a text that matches as a whole. In doubt if only a part matches: a rule that denies `rm
 * -rf` need not match the text around it, while one that allows must. Takes linear time.
 *
 * @throws RE2JSSyntaxException for an invalid regex, or one that needs backtracking
 */
function regexTest(source: string): ValueTest {
  const { RE2JS: engine } = require('re2js') as typeof import('re2js');
  const regex = engine.compile(source);
  let folded: RE2JS | undefined;
  const isPath = PATH.test(source);
  const matchesFolded = (text: string): boolean => {
    folded ??= engine.compile(source, engine.CASE_INSENSITIVE);
    return folded.test(foldText(text));
  };
  return {
    expected: `a text that matches ${quote(source)} as a whole`,
    judge: (value) => {
      if (value === undefined || value === null) return 'no';
      if (typeof value === 'object') return 'doubt';
      if (typeof value !== 'string') return regex.test(String(value)) ? 'doubt' : 'no';
      const mayLeadElsewhere = isPath && isDoubtfulPath(value);
      if (regex.testExact(value)) return mayLeadElsewhere || (isPath && isDisguised(value)) ? 'doubt' : 'yes';
      return mayLeadElsewhere || regex.test(value) || matchesFolded(value) ? 'doubt' : 'no';
    },
  };
}
