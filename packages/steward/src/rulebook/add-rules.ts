import { failure, type Result, refuse, success } from '@proffer/core';
import { isJsonObject, listOf } from '@proffer/core/json';
import { appendYaml } from '@proffer/reading';
import { parseRules } from '../rules/parse-rules.js';
import type { RuleSet } from '../rules/rule-set.js';

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
    return failure(refuse('invalid_rules', `${what} Leave them out.`, { problems: [] }));
  }
  const added = listOf(rules);
  const next = appendYaml(text, 'rules', added);
  const parsed = parseRules(next, source);
  return parsed.ok ? success({ text: next, rules: parsed.value, added: added.length }) : parsed;
}
