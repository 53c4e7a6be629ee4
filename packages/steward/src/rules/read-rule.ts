import { describe, formatPath, type JsonObject } from '@proffer/core';
import { type Path, type Report, type Tree, treeToJson } from '@proffer/reading';
import {
  argumentConditions,
  equalConditions,
  noOtherArguments,
  readArguments,
} from './argument-conditions.js';
import { narrowestKey } from './argument-key.js';
import type { Condition } from './condition.js';
import { literalNames, type NamePattern, nameCondition, readNames } from './name-condition.js';
import { readAnnotations } from './read-hints.js';
import { type Reader, readChoice, readFlag, readKey, readSection, readText } from './readers.js';
import type { IndexedRule } from './rule-index.js';
import { RULE_ACTIONS, type RuleAction } from './rule-set.js';
import { readTime } from './time-condition.js';
import { isTrustTool } from './trust-tool.js';

const RULE_KEYS = ['name', 'action', 'reason', 'match'];
const MATCH_KEYS = [
  'participant',
  'server',
  'tool',
  'arguments',
  'argumentsEqual',
  'noOtherArguments',
  'annotations',
  'time',
];

/** A broad rule is about calls, not about accepting tools that have changed. */
const NOT_TRUST: Condition = {
  about: 'tool',
  expected: 'a rule that names it without a star',
  judge: ({ tool }) => (isTrustTool(tool) ? 'no' : 'yes'),
  found: ({ tool }) => describe(tool),
};

/** A rule, and what it says in one form however it is written. */
export interface ReadRule extends IndexedRule {
  readonly canonical: JsonObject;
}

/** Reads one rule: `{ name?, action, reason?, match }`. */
export function readRule(index: number): Reader<ReadRule> {
  return (tree, path, report) => {
    const section = readSection(tree, path, report, RULE_KEYS);
    if (section === undefined) return undefined;
    const name = readKey(section, 'name', path, report, readText);
    const reason = readKey(section, 'reason', path, report, readText);
    const action = readKey(section, 'action', path, report, readChoice(RULE_ACTIONS));
    const match = section.entries.get('match');
    for (const key of ['action', 'match']) {
      if (!section.entries.has(key)) report(section.at, formatPath([...path, key]), 'This key is missing.');
    }
    // What a wrong action would have meant is unknown; the conditions are read for their own problems.
    const conditions = match && readMatch(match.value, action ?? 'allow', [...path, 'match'], report);
    if (conditions === undefined || action === undefined || match === undefined) return undefined;
    const texts = { ...(name === undefined ? {} : { name }), ...(reason === undefined ? {} : { reason }) };
    const key = narrowestKey(conditions.all.flatMap((condition) => condition.key ?? []));
    const rule = { ...texts, index, line: section.at.line, action, conditions: conditions.all };
    return {
      rule: key === undefined ? rule : { ...rule, key },
      ...(conditions.tools === undefined ? {} : { tools: conditions.tools }),
      canonical: { ...texts, action, match: treeToJson(match.value) },
    };
  };
}

/** All conditions, the cheap ones first, and the tools, where they are named without a star. */
function readMatch(tree: Tree, action: RuleAction, path: Path, report: Report) {
  const section = readSection(tree, path, report, MATCH_KEYS);
  if (section === undefined) return undefined;
  if (section.entries.size === 0) {
    const message =
      'There is no condition, so every call would match; say what holds otherwise with `default`.';
    report(section.at, formatPath(path), message);
    return undefined;
  }
  const read = <Value>(key: string, reader: Reader<Value>) => readKey(section, key, path, report, reader);
  const names = (about: 'participant' | 'server' | 'tool'): readonly NamePattern[] | undefined =>
    read(about, readNames);
  const tools = names('tool');
  const participants = names('participant');
  const servers = names('server');
  const patterns = read('arguments', readArguments);
  const values = read('argumentsEqual', readArguments);
  const all: Condition[] = [];
  if (tools !== undefined) all.push(nameCondition('tool', tools));
  const namesTrust = tools?.some(({ text, glob }) => glob === undefined && isTrustTool(text)) === true;
  if (action === 'allow' && !namesTrust) all.push(NOT_TRUST);
  if (participants !== undefined) all.push(nameCondition('participant', participants));
  if (servers !== undefined) all.push(nameCondition('server', servers));
  all.push(...(read('annotations', readAnnotations) ?? []));
  if (values !== undefined) all.push(...equalConditions(values));
  if (patterns !== undefined) {
    all.push(...argumentConditions(patterns, action, [...path, 'arguments'], report));
  }
  if (read('noOtherArguments', readFlag) === true) {
    all.push(noOtherArguments(new Set([...(patterns?.keys() ?? []), ...(values?.keys() ?? [])])));
  }
  const time = read('time', readTime);
  if (time !== undefined) all.push(time);
  const literal = literalNames(tools);
  return literal === undefined ? { all } : { all, tools: literal };
}
