import { foldName } from '@proffer/core/capability';
import type { CallFacts } from './call-facts.js';
import { toolNames } from './conditions/name-condition.js';
import { candidatesIn, createRuleList, mergeRules, type RuleList } from './rule-list.js';
import type { Rule } from './rule-set.js';

/** Rules by the tools they name, so that a call is tested only against its own and those that name none. */
export interface RuleIndex {
  /** By folded names: the rule itself judges names that only look different. */
  readonly byTool: ReadonlyMap<string, RuleList>;
  /** The rules for any tool, or for a pattern of names, in order. */
  readonly others: RuleList;
}

/** A rule and the tools it is about, if it names them without an asterisk. */
export interface IndexedRule {
  readonly rule: Rule;
  readonly tools?: readonly string[];
}

/** Indexes rules, once per rule set. */
export function indexRules(entries: readonly IndexedRule[]): RuleIndex {
  const byTool = new Map<string, Rule[]>();
  const others: Rule[] = [];
  for (const { rule, tools } of entries) {
    if (tools === undefined) {
      others.push(rule);
      continue;
    }
    for (const tool of new Set(tools.map(foldName))) {
      const list = byTool.get(tool);
      if (list === undefined) byTool.set(tool, [rule]);
      else list.push(rule);
    }
  }
  return {
    byTool: new Map(Array.from(byTool, ([tool, rules]) => [tool, createRuleList(rules)])),
    others: createRuleList(others),
  };
}

/** All rules that may match a call, in file order. */
export function candidateRules({ byTool, others }: RuleIndex, call: CallFacts): Iterable<Rule> {
  let candidates = candidatesIn(others, call.arguments);
  for (const name of toolNames(call)) {
    const own = byTool.get(foldName(name));
    if (own !== undefined) candidates = mergeRules(candidatesIn(own, call.arguments), candidates);
  }
  return candidates;
}
