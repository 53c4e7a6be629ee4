import { failure, type Result, refuse, success } from '@proffer/core';
import { defined, isJsonObject, type JsonValue, listOf } from '@proffer/core/json';
import { hideSecrets } from '@proffer/core/secrets';
import { appendYaml, formatYaml } from '@proffer/reading';
import { isContent, parentFolder } from '../history/content.js';
import type { WrittenRule } from '../history/generalise.js';
import type { CallFacts } from '../rules/call-facts.js';
import { parseRules } from '../rules/parse-rules.js';
import type { RuleSet } from '../rules/rule-set.js';
import { ruleInWords } from './rules-in-words.js';

/** A suggested rule: in plain language, and as written in a file. */
export interface RuleDraft {
  readonly rule: WrittenRule;
  readonly words: string;
  /** A file with only this rule. */
  readonly text: string;
}

/**
 * Rules drafted from one call, the narrowest first: exactly this call, and, if an argument is a path,
 * any content in the same folder. None if a name contains a star, which a rule would treat as a
 * pattern, or if an argument looks like a secret, which no rule file should have. Pure.
 */
export function draftRules(call: CallFacts, action: WrittenRule['action']): readonly RuleDraft[] {
  const { server, tool, participant, alias = participant } = call;
  if (/\*/.test(`${alias}${server ?? ''}${tool}`) || hideSecrets(call.arguments).hasSecrets) return [];
  const given = Object.entries(call.arguments).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const subject = { participant: alias, ...defined({ server }), tool };
  const exact = { name: `${alias}: ${tool}`, action, match: { ...subject, ...equalTo(given), ...NO_OTHERS } };
  const folders = given.flatMap(([name, value]) => {
    const folder = typeof value === 'string' ? parentFolder(value) : undefined;
    return folder === undefined ? [] : [[name, folder] as const];
  });
  if (folders.length === 0) return [draftOf(exact)];
  const inFolder = new Set(folders.map(([name]) => name));
  const free = given.flatMap(([name, value]) =>
    !inFolder.has(name) && isContent(name, [value]) ? [[name, '**'] as const] : [],
  );
  const open = new Set([...inFolder, ...free.map(([name]) => name)]);
  const wider = {
    name: `${alias}: ${tool} in ${folders.map(([, folder]) => folder).join(', ')}`,
    action,
    match: {
      ...subject,
      ...equalTo(given.filter(([name]) => !open.has(name))),
      arguments: Object.fromEntries([...folders, ...free]),
      ...NO_OTHERS,
    },
  };
  return [draftOf(exact), draftOf(wider)];
}

/** A rule in plain language and as a file. */
export function draftOf(rule: WrittenRule): RuleDraft {
  const text = formatYaml({ rules: [rule] });
  const parsed = parseRules(text, 'draft');
  const [read] = parsed.ok ? parsed.value.rules : [];
  return { rule, words: read === undefined ? rule.name : ruleInWords(read).words, text };
}

const NO_OTHERS = { noOtherArguments: true };

function equalTo(given: readonly (readonly [string, JsonValue])[]) {
  return given.length === 0 ? {} : { argumentsEqual: Object.fromEntries(given) };
}

/** A file with rules added. */
export interface AddedRules {
  readonly text: string;
  readonly rules: RuleSet;
  /** How many of them are new. */
  readonly added: number;
}

/**
 * A rule file with the rules of a draft appended, where they override no existing rule. Pure. Refuses
 * with `invalid_rules` an invalid file or draft, a name that is taken, and a draft with a default or
 * `servers`: these would change what other rules mean.
 *
 * @param source - the file's name, for messages
 */
export function addRules(text: string, draft: string, source: string): Result<AddedRules> {
  const own = parseRules(draft, 'the rules to add');
  if (!own.ok) return own;
  const before = parseRules(text, source);
  if (!before.ok) return before;
  const { rules, servers } = own.value.said;
  const isMore =
    own.value.otherwise.action !== 'ask' || (isJsonObject(servers) && Object.keys(servers).length > 0);
  if (isMore) {
    const what = 'The rules to add also set `default` or `servers`, which change what other rules mean.';
    return failure(refuse('invalid_rules', `${what} Leave those keys out.`, { problems: [] }));
  }
  const added = listOf(rules);
  const next = appendYaml(text, 'rules', added);
  const parsed = parseRules(next, source);
  return parsed.ok ? success({ text: next, rules: parsed.value, added: added.length }) : parsed;
}
