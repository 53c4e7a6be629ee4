import { digestJson } from '@proffer/core';
import { defined, describe, formatPath, type JsonObject } from '@proffer/core/json';
import {
  listed,
  type MapTree,
  type Path,
  type Report,
  readChoice,
  readFlag,
  readKey,
  readSection,
  readText,
  type Tree,
  treeToJson,
  type ValueReader,
} from '@proffer/reading';
import {
  argumentConditions,
  equalConditions,
  narrowestKey,
  noOtherArguments,
  readArguments,
} from './conditions/argument-conditions.js';
import type { Condition } from './conditions/condition.js';
import {
  literalNames,
  type Named,
  type Names,
  nameCondition,
  readNames,
} from './conditions/name-condition.js';
import {
  PROMPT_METHODS,
  RESOURCE_METHODS,
  readPrompt,
  readResource,
} from './conditions/subject-condition.js';
import { readTime } from './conditions/time-condition.js';
import { readCommand, readPlaces } from './effects/index.js';
import { readAnnotations } from './read-hints.js';
import type { IndexedRule } from './rule-index.js';
import { RULE_ACTIONS, type RuleAction } from './rule-set.js';
import { type RuleRate, readRate } from './rule-usage.js';
import { isTrustTool } from './trust-tool.js';

const RULE_KEYS = ['name', 'action', 'reason', 'match', 'rate'];
const MATCH_KEYS = [
  'participant',
  'client',
  'user',
  'server',
  'tool',
  'resource',
  'prompt',
  'command',
  'path',
  'host',
  'arguments',
  'argumentsEqual',
  'noOtherArguments',
  'annotations',
  'time',
];

/** A broad rule is about calls, not about accepting changed tools. */
const NOT_TRUST: Condition = {
  about: 'tool',
  expected: 'a rule that names it without an asterisk',
  isImplied: true,
  judge: ({ tool }) => (isTrustTool(tool) ? 'no' : 'yes'),
  found: ({ tool }) => describe(tool),
};

/** A rule, and its content in one form however it is written. */
export interface ReadRule extends IndexedRule {
  readonly canonical: JsonObject;
}

/** Reads one rule: `{ name?, action, reason?, match }`. */
export function readRule(index: number): ValueReader<ReadRule> {
  return (tree, path, report) => {
    const section = readSection(tree, path, report, { keys: RULE_KEYS });
    if (section === undefined) return undefined;
    const name = readKey(section, 'name', path, report, readText());
    const reason = readKey(section, 'reason', path, report, readText());
    const action = readKey(section, 'action', path, report, readChoice(RULE_ACTIONS));
    const rate = readRuleRate(section, action, path, report);
    const match = section.entries.get('match');
    for (const key of ['action', 'match']) {
      if (!section.entries.has(key)) report(section.at, formatPath([...path, key]), 'This key is missing.');
    }
    // An invalid action has no known meaning; the conditions are still read for their problems.
    const conditions = match && readMatch(match.value, action ?? 'allow', [...path, 'match'], report);
    if (conditions === undefined || action === undefined || match === undefined) return undefined;
    const texts = defined({ name, reason });
    const key = narrowestKey(conditions.all.flatMap((condition) => condition.key ?? []));
    const limit = rate === undefined ? {} : { rate: rate.text };
    const canonical = { ...texts, action, match: treeToJson(match.value), ...limit };
    const rule = { ...texts, index, line: section.at.line, action, conditions: conditions.all };
    return {
      rule: {
        ...rule,
        id: rate === undefined ? '' : (name ?? digestJson(canonical)),
        ...defined({ key, rate, subject: conditions.subject }),
      },
      ...defined({ tools: conditions.tools }),
      canonical,
    };
  };
}

/** A denying rule cannot have a rate: after that many calls it would let the next ones pass. */
function readRuleRate(
  section: MapTree,
  action: RuleAction | undefined,
  path: Path,
  report: Report,
): RuleRate | undefined {
  const rate = readKey(section, 'rate', path, report, readRate);
  const at = section.entries.get('rate')?.keyAt;
  if (at === undefined || action === undefined || action === 'allow') return rate;
  const message = `Only an allow rule can have a rate. To ${action} calls beyond it, put a rule with \`action: allow\` and the rate before this one.`;
  report(at, formatPath([...path, 'rate']), message);
  return undefined;
}

/** All conditions, the cheap ones first, and the tools if they are named without an asterisk. */
function readMatch(tree: Tree, action: RuleAction, path: Path, report: Report) {
  const section = readSection(tree, path, report, { keys: MATCH_KEYS });
  if (section === undefined) return undefined;
  if (section.entries.size === 0) {
    const message =
      'There is no condition, so every call would match; use `default` for what no rule matches.';
    report(section.at, formatPath(path), message);
    return undefined;
  }
  const read = <Value>(key: string, reader: ValueReader<Value>) =>
    readKey(section, key, path, report, reader);
  const tools = read('tool', readNames);
  const patterns = read('arguments', readArguments);
  const values = read('argumentsEqual', readArguments);
  const all: Condition[] = [];
  if (tools !== undefined) all.push(nameCondition('tool', tools));
  if (action === 'allow' && !namesTrustTool(tools)) all.push(NOT_TRUST);
  for (const about of ['participant', 'server', 'client', 'user'] satisfies Named[]) {
    const names = read(about, readNames);
    if (names !== undefined) all.push(nameCondition(about, names));
  }
  const subjects = [read('resource', readResource), read('prompt', readPrompt)];
  all.push(...subjects.filter((subject) => subject !== undefined));
  const effects = [
    read('command', readCommand(action)),
    read('path', readPlaces('path', action)),
    read('host', readPlaces('host', action)),
  ];
  all.push(...effects.filter((effect) => effect !== undefined));
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
  reportTwoSubjects(section, path, report);
  const subject = (['resource', 'prompt'] as const).find((key) => section.entries.has(key));
  const literal = subject === undefined ? literalNames(tools) : METHODS[subject];
  return { all, ...defined({ tools: literal, subject }) };
}

/** A rule about resources or prompts is indexed by their methods, as one about tools is by their names. */
const METHODS = { resource: RESOURCE_METHODS, prompt: PROMPT_METHODS };

function reportTwoSubjects({ entries }: MapTree, path: Path, report: Report): void {
  const [, second] = ['tool', 'resource', 'prompt'].filter((key) => entries.has(key));
  const at = second === undefined ? undefined : entries.get(second)?.keyAt;
  if (at === undefined) return;
  const both = listed(['tool', 'resource', 'prompt'].filter((key) => entries.has(key)));
  const message = `No call has ${both} at once, so the rule would never match. Write one rule for each.`;
  report(at, formatPath(path), message);
}

function namesTrustTool(tools: Names | undefined): boolean {
  if (tools === undefined || tools.isNegated) return false;
  return tools.patterns.some(({ text, glob }) => glob === undefined && isTrustTool(text));
}
