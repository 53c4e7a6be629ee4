import { digestJson, failure, type Result, refuse, success } from '@proffer/core';
import { defined, formatPath, type JsonObject } from '@proffer/core/json';
import {
  createReport,
  type MapTree,
  type Problem,
  parseYamlTree,
  problemLines,
  type Report,
  readChoice,
  readKey,
  readSection,
  readText,
  type Tree,
  treeOfJson,
  treeToJson,
  type ValueReader,
  wanted,
  type YamlStyle,
} from '@proffer/reading';
import { readServers } from './read-hints.js';
import { type ReadRule, readRule } from './read-rule.js';
import { indexRules } from './rule-index.js';
import { RULE_ACTIONS, type RuleSet } from './rule-set.js';

const KEYS = ['version', 'default', 'servers', 'rules'];
const STYLE: YamlStyle = { what: 'the rules', aliases: 'refused', values: 'json' };
const MAX_RULES = 20_000;
const HASH_DIGITS = 12;

/**
 * Parses a rule file, YAML or JSON. Pure. An unknown key or invalid value is never ignored: refuses
 * with `invalid_rules`, the message with one line `FILE:LINE:COLUMN: KEY: what is wrong` for each
 * problem, and `details.problems` with the same for programs.
 *
 * @param source - the file's name, for messages. Default `rules`
 */
export function parseRules(text: string, source = 'rules'): Result<RuleSet> {
  return parseTree(source, (report) => parseYamlTree(text, source, report, STYLE));
}

/** Parses a program's own data; loads no file parser. */
export function parseRuleData(data: JsonObject, source: string): Result<RuleSet> {
  return parseTree(source, () => treeOfJson(data, { source, line: 1, column: 1 }));
}

function parseTree(source: string, read: (report: Report) => Tree | undefined): Result<RuleSet> {
  const { problems, report } = createReport();
  const tree = read(report);
  const section =
    tree === undefined ? undefined : readSection(tree, [], report, { keys: KEYS, whole: 'A rule file' });
  const rules = section === undefined ? undefined : readRules(section, source, report);
  if (rules === undefined || problems.length > 0) return refuseRules(problems);
  return success(rules);
}

function readRules(section: MapTree, source: string, report: Report): RuleSet | undefined {
  const read = <Value>(key: string, reader: ValueReader<Value>) => readKey(section, key, [], report, reader);
  const written = read('version', readVersion);
  const otherwise = read('default', readDefault) ?? { action: 'ask' };
  const hints = read('servers', readServers) ?? new Map();
  const entries = read('rules', readList) ?? [];
  if (!section.entries.has('rules') && !section.entries.has('default')) {
    report(section.at, '', 'There are no rules and no default; write at least one of them.');
  }
  const servers = section.entries.get('servers');
  const canonical: JsonObject = {
    default: { ...otherwise },
    servers: servers === undefined ? {} : treeToJson(servers.value),
    rules: entries.map((entry) => entry.canonical),
  };
  const hash = digestJson(canonical).slice('sha256:'.length, 'sha256:'.length + HASH_DIGITS);
  return {
    source,
    version: written === undefined ? hash : `${written}@${hash}`,
    said: canonical,
    rules: entries.map(({ rule }) => rule),
    otherwise,
    hints,
    index: indexRules(entries),
  };
}

const readVersion: ValueReader<string> = (tree, path, report) => {
  const text = readText()(tree, path, report);
  if (text === undefined || /^[\w.+-]{1,64}$/.test(text)) return text;
  return wanted(tree, path, report, 'at most 64 letters, digits and . _ + -');
};

const readDefault: ValueReader<RuleSet['otherwise']> = (tree, path, report) => {
  if (tree.kind === 'scalar') {
    const action = readChoice(RULE_ACTIONS)(tree, path, report);
    return action === undefined ? undefined : { action };
  }
  const section = readSection(tree, path, report, { keys: ['action', 'reason'] });
  if (section === undefined) return undefined;
  if (!section.entries.has('action')) {
    report(section.at, formatPath([...path, 'action']), 'This key is missing.');
  }
  const action = readKey(section, 'action', path, report, readChoice(RULE_ACTIONS));
  const reason = readKey(section, 'reason', path, report, readText());
  if (action === undefined) return undefined;
  return { action, ...defined({ reason }) };
};

const readList: ValueReader<readonly ReadRule[]> = (tree, path, report) => {
  if (tree.kind !== 'list') return wanted(tree, path, report, 'a list of rules, each beginning with a dash');
  if (tree.items.length > MAX_RULES) return wanted(tree, path, report, `at most ${MAX_RULES} rules`);
  const names = new Map<string, number>();
  return tree.items.flatMap((item, index) => {
    const read = readRule(index)(item, [...path, index], report);
    if (read === undefined) return [];
    const { name, line } = read.rule;
    if (name !== undefined) {
      const other = names.get(name);
      if (other === undefined) names.set(name, line);
      else
        report(item.at, formatPath([...path, index, 'name']), `The rule on line ${other} has the same name.`);
    }
    return [read];
  });
};

function refuseRules(problems: readonly Problem[]): Result<never> {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  const what = `${problemLines(problems)}\n${count} in the rules.`;
  return failure(refuse('invalid_rules', what, { problems }));
}
